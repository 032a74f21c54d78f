package facttest_test

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/facttest"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// sectionFacts are the locks held in critical sections, and that two sections of one lock do not
// overlap.
func sectionFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	for _, q := range queries(t, p) {
		locks := lockset.New(q)
		nodes := facttest.NewNodes(q.Graph)
		var exclusive []judge.Event // in sections of locks that are package variables
		var of []*ssa.Global
		for _, n := range q.Graph.Nodes() {
			if !p.IsOwn(n.Func) {
				continue
			}
			for _, s := range locks.NewSections(n).All() {
				lock := s.From.(*ssa.Call).Call.Args[0]
				mode := modeOf(s.From)
				for at := range s.Inside {
					if _, isPhi := at.(*ssa.Phi); isPhi {
						continue
					}
					facts = append(facts, judge.MustHold{At: at, In: nodes.In(n), Lock: path(lock), Mode: mode})
					global, isGlobal := ssaflow.RootOf(lock).(*ssa.Global)
					if _, isStore := at.(*ssa.Store); isGlobal && isStore && mode == execute.Writing {
						event := judge.Event{At: at, In: nodes.In(n)}
						exclusive, of = append(exclusive, event), append(of, global)
					}
				}
			}
		}
		for i, a := range exclusive[:min(len(exclusive), maxExclusive)] {
			for j, b := range exclusive[i:min(len(exclusive), maxExclusive)] {
				if of[i] == of[i+j] {
					facts = append(facts, judge.Apart{A: a, B: b})
				}
			}
		}
	}
	return facts
}

// maxExclusive bounds the instructions in critical sections that are held to each other.
const maxExclusive = 12

// modeOf is how the call that begins a section takes its lock.
func modeOf(from ssa.Instruction) execute.Mode {
	if op, _ := knowledge.LockOperation(from.(*ssa.Call).Call.StaticCallee()); op == knowledge.RLock {
		return execute.Reading
	}
	return execute.Writing
}

// maxWays bounds the pairs of instructions of a function between which the ways are looked at.
const maxWays = 60

// differFacts are pairs of instructions between which the same locks are said to be taken and
// released on all ways.
func differFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	seen := map[*ssa.Function]bool{}
	for _, q := range queries(t, p) {
		for _, n := range q.Graph.Nodes() {
			if p.IsOwn(n.Func) && !seen[n.Func] && len(n.Func.Blocks) > 2 {
				seen[n.Func] = true
				facts = append(facts, differFactsOf(q, n)...)
			}
		}
	}
	return facts
}

func differFactsOf(q *modref.Facts, n *pointsto.Node) []judge.Fact {
	var facts []judge.Fact
	flow := ssaflow.NewFlow(ssaflow.NewFunction(n.Func, func(ssa.Instruction) []ssa.Value { return nil }))
	for from, i := range flow.Instrs {
		if !modref.IsRead(i) {
			continue
		}
		for to, at := range flow.Instrs {
			_, isReturn := at.(*ssa.Return)
			if len(facts) == maxWays || !isReturn && !modref.IsRead(at) {
				continue
			}
			inside, ok := flow.Between(ssaflow.Place(from), ssaflow.Place(to))
			if ok && !callsOut(flow, inside) &&
				!lockset.LocksDiffer(flow, q.Stars.SpinOperation, ssaflow.Place(from), ssaflow.Place(to), inside) {
				facts = append(facts, judge.SameLocks{From: i, To: at})
			}
		}
	}
	return facts
}

// callsOut tells whether what is inside runs code of the program's own, which may take locks, too, or
// operates on a lock at an index: which one that is depends on data, on one way, too.
func callsOut(flow *ssaflow.Flow, inside ssaflow.PlaceSet) bool {
	for p, in := range inside {
		switch i := flow.Instrs[p].(type) {
		case *ssa.RunDefers:
			if in {
				return true
			}
		case *ssa.Call:
			callee := i.Call.StaticCallee()
			_, isBuiltin := i.Call.Value.(*ssa.Builtin)
			if in && !isBuiltin && len(i.Call.Args) > 0 && len(ssaflow.Indices(i.Call.Args[0])) > 0 {
				return true
			}
			if in && !isBuiltin && (callee == nil || !knowledge.IsSynchronisation(callee) && !knowledge.IsAtomic(callee)) {
				return true
			}
		}
	}
	return false
}

// ownSectionFacts are accesses with the lock of the object itself, which nothing interferes with.
func ownSectionFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	for _, q := range queries(t, p) {
		locks := lockset.New(q)
		nodes := facttest.NewNodes(q.Graph)
		p.Instructions(q.Graph, func(n *pointsto.Node, i ssa.Instruction) {
			pointer, _ := accessed(i)
			if pointer == nil || !locks.IsInOwnSection(n, pointer, i) {
				return
			}
			in := nodes.In(n)
			if !slices.ContainsFunc(q.Graph.NodesOf(n.Func), func(other *pointsto.Node) bool {
				return !locks.IsInOwnSection(other, pointer, i)
			}) {
				in = nil // whichever node it is
			}
			if of := isLocation(q, n, pointer); of != nil {
				facts = append(facts, judge.Uncontended{At: i, In: in, Of: of})
			}
		})
	}
	return facts
}
