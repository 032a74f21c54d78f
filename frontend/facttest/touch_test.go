package facttest_test

import (
	"fmt"
	"go/types"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/facttest"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/units"
)

// isOfSet tells whether a place is a location of the query, of those for which is holds: a field of an
// object that is checked, or what one leads to if anybody writes it. (What nobody writes is no matter.)
func isOfSet(q *modref.Facts, nodes *facttest.Nodes, is func(isolate.Location) bool) func(execute.Place) bool {
	q.Unpublished.Watch(q.Stars.Watched()...)
	return func(p execute.Place) bool {
		return p.Object().IsShared() && nodes.IsCell(p, func(c pointsto.Cell) bool {
			return slices.ContainsFunc(q.Stars.LocationsAt(c), is) &&
				(len(q.Stars.StarsAt(c)) > 0 || q.Unpublished.IsCellWritten(c))
		})
	}
}

// isShared tells whether others can reach the place; synchronisation does not count.
func isShared(p execute.Place) bool {
	t := p.Type()
	return p.Object().IsShared() && !p.IsChannel() && (t == nil || !facttest.IsSynchronisation(t))
}

// mayAccess tells whether an instruction does something to memory, or what it calls may.
func mayAccess(i ssa.Instruction) bool {
	switch i.(type) {
	case *ssa.UnOp, *ssa.Store, *ssa.Lookup, *ssa.MapUpdate, *ssa.Range, *ssa.Next, *ssa.Convert, *ssa.Call,
		*ssa.RunDefers:
		return true
	}
	return false
}

// touchFacts are instructions that are said not to access the checked set in what they call, and those
// that are said to do nothing but look.
func touchFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	for _, q := range queries(t, p) {
		nodes := facttest.NewNodes(q.Graph)
		any := isOfSet(q, nodes, func(isolate.Location) bool { return true })
		p.Instructions(q.Graph, func(n *pointsto.Node, i ssa.Instruction) {
			if !mayAccess(i) {
				return
			}
			if !q.TouchesSet(n, i) {
				facts = append(facts, judge.Untouched{At: i, In: nodes.In(n), Of: any, Name: "the set"})
			}
			_, runsDefers := i.(*ssa.RunDefers) // what they do is asked of the defer statements
			if q.OnlyLooks(n, i) && !isOwnStore(i) && !runsDefers {
				facts = append(facts, judge.Untouched{At: i, In: nodes.In(n), Of: any, Name: "the set", Writes: true})
			}
			call, isCall := i.(*ssa.Call)
			if ssaflow.Computes(i) && !ssaflow.IsBuiltin(i, "append") && !ssaflow.IsReceive(i) ||
				isCall && ssaflow.OnlyLoads(call.Common(), 0) {
				facts = append(facts, judge.Untouched{
					At: i, In: nodes.In(n), Of: isShared, Name: "what others can reach", Writes: true})
			}
		})
	}
	return facts
}

// isOwnStore tells whether a store is to a variable of the function's own.
func isOwnStore(i ssa.Instruction) bool {
	store, ok := i.(*ssa.Store)
	return ok && ssaflow.OwnVariableOf(store.Addr) != nil
}

// spanFacts are what a function that is a unit by its own accesses does before and after the unit: no
// work on the object.
func spanFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	for _, q := range queries(t, p) {
		of := units.New(mustalias.New(q), lockset.New(q))
		nodes := facttest.NewNodes(q.Graph)
		for _, n := range q.Graph.Nodes() {
			if !p.IsOwn(n.Func) || len(n.Func.Blocks) == 0 {
				continue
			}
			for k := range q.Stars.Stars {
				facts = append(facts, spanFactsOf(q, of, nodes, n, k)...)
			}
		}
	}
	return facts
}

func spanFactsOf(q *modref.Facts, of *units.Units, nodes *facttest.Nodes, n *pointsto.Node, k int) []judge.Fact {
	var facts []judge.Fact
	star := isOfSet(q, nodes, func(at isolate.Location) bool { return at.Star == k })
	reached, opens := of.ReachedStars(n)[k], of.OpensUnit(n, k)
	span := of.SpanOf(n, units.Frame{Star: k, Direct: true})
	within := make(ssaflow.PlaceSet, len(span.Flow.Instrs)) // behind a place of the unit
	for at, works := range span.Works {
		for behind, is := range ssaflow.Reach(ssaflow.Place(at), span.Flow.Succs, func(ssaflow.Place) bool { return false }) {
			within[behind] = within[behind] || works && is
		}
	}
	for at, i := range span.Flow.Instrs {
		outside := opens && !span.Works[at] && !(within[at] && span.Ahead[at]) && !isHandedFunction(i)
		if mayAccess(i) && (!reached || outside) {
			name := fmt.Sprintf("star %d", k)
			facts = append(facts, judge.Untouched{At: i, In: nodes.In(n), Of: star, Name: name})
		}
	}
	return facts
}

// isHandedFunction tells whether the instruction calls a function value that is not made there, or hands
// it on: what that does is work of who has made it.
func isHandedFunction(i ssa.Instruction) bool {
	call, ok := i.(*ssa.Call)
	return ok && slices.ContainsFunc(append([]ssa.Value{call.Call.Value}, call.Call.Args...), func(v ssa.Value) bool {
		_, isFunction := v.Type().Underlying().(*types.Signature)
		switch v.(type) {
		case *ssa.Function, *ssa.Builtin, *ssa.MakeClosure:
			return false
		}
		return isFunction
	})
}
