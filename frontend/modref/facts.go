package modref

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/rules"
)

// CalledIn returns the nodes that call a node in their own goroutine.
func (l *Facts) CalledIn(n *pointsto.Node) (callers []*pointsto.Node) {
	for _, e := range l.Graph.Callers(n) {
		if !e.IsStart() && !l.Program.IsGenerated(e.Caller.Func.Pos()) {
			callers = append(callers, e.Caller)
		}
	}
	return callers
}

// IsOfModule tells whether the function is the user's own: those of libraries keep what
// guards itself in order.
func (l *Facts) IsOfModule(n *pointsto.Node) bool {
	return l.Program.Position(n.Func.Pos()).InModule()
}

// Input is what earlier stages found out about a program and the checked object.
type Input struct {
	Program      *load.Program
	Graph        *pointsto.Result
	Multiplicity *multiplicity.Analysis
	Stars        *isolate.Isolation
	Kept         *reduce.Reduction
	Units        UnitPolicy
	Unpublished  *fresh.Analysis // what no other goroutine can reach yet
	Rules        *rules.Record   // which rules the model rests on
}

// Facts is what earlier stages found out about a program and the checked object, and
// what is found out about the call graph once, for all rounds of the lowering, because it
// takes time where programs are large.
type Facts struct {
	Input

	knownReached  map[NodeValue]uint
	reachedFrom   map[pointsto.SetID]uint // the same by set, see Reached
	regionsOf     map[pointsto.SetID][]isolate.Location
	sides         map[pointsto.SetID]map[isolate.Location]sides // see sidesOf
	storing       map[string]map[*pointsto.Node]bool            // by memory, see Storing
	callbacks     map[*pointsto.Node]callbacks
	methods       *types.MethodSet        // of a pointer to the checked type; nil until it is asked for
	knownExitSets *exitSets               // nil until it is asked for
	callsBack     map[*pointsto.Node]bool // nil until it is asked for: see mayCallBack
	silent        map[*pointsto.Node]bool // see MayDoNothing; nil until it is asked for
	doCalls       []pointsto.Edge         // of Once.Do
	hasDoCalls    bool
	locked        []pointsto.Edge // calls of operations on locks
	hasLocked     bool
	globals       map[*ssa.Global][]nodeInstr // nil until it is asked for: see usesOf
	exits         map[*pointsto.Node]bool     // nil until it is asked for: see mayExit
	knownTouching *touching                   // nil until it is asked for

	stays     map[*pointsto.Node]bool       // answers of staysWithParameters
	closures  map[*ssa.Function][]nodeInstr // nil until it is asked for: see closuresOf
	neverMade map[*ssa.Function]bool        // answers of isNeverMade
}

// nodeInstr is an instruction of a node.
type nodeInstr struct {
	Node  *pointsto.Node
	Instr ssa.Instruction
}

// UsesOf returns the instructions that name the variable, of each function for one
// call-graph node.
func (f *Facts) UsesOf(global *ssa.Global) []nodeInstr {
	if f.globals == nil {
		f.globals = map[*ssa.Global][]nodeInstr{}
		seen := map[*ssa.Function]bool{}
		for _, n := range f.Graph.Nodes() {
			if !seen[n.Func] {
				seen[n.Func] = true
				f.addUses(n)
			}
		}
	}
	return f.globals[global]
}

func (f *Facts) addUses(n *pointsto.Node) {
	var operands []*ssa.Value
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			operands = instr.Operands(operands[:0])
			for _, o := range operands {
				if global, ok := (*o).(*ssa.Global); ok {
					f.globals[global] = append(f.globals[global], nodeInstr{n, instr})
				}
			}
		}
	}
}

// New returns the facts about what earlier stages found out. They are computed as they are asked for.
func New(c Input) *Facts {
	return &Facts{
		Input: c, knownReached: map[NodeValue]uint{}, reachedFrom: map[pointsto.SetID]uint{},
		regionsOf: map[pointsto.SetID][]isolate.Location{}, sides: map[pointsto.SetID]map[isolate.Location]sides{},
		storing:   map[string]map[*pointsto.Node]bool{},
		callbacks: map[*pointsto.Node]callbacks{}, stays: map[*pointsto.Node]bool{}, neverMade: map[*ssa.Function]bool{},
	}
}

// OnceCalls returns the calls of Once.Do in the whole program.
func (f *Facts) OnceCalls() []pointsto.Edge {
	if !f.hasDoCalls {
		f.doCalls, f.hasDoCalls = f.Graph.CallsTo(knowledge.Onces), true
	}
	return f.doCalls
}

// LockCalls returns the calls of operations on locks in the whole program.
func (f *Facts) LockCalls() []pointsto.Edge {
	if !f.hasLocked {
		f.locked, f.hasLocked = f.Graph.CallsTo(knowledge.Locks), true
	}
	return f.locked
}

// NodesOfValue returns the call-graph nodes of the functions that a value can be.
func (l *Facts) NodesOfValue(n *pointsto.Node, v ssa.Value) []*pointsto.Node {
	var all []*pointsto.Node
	for _, o := range l.Graph.PointsTo(n, v).Objects() {
		var fn *ssa.Function
		switch site := o.Site.(type) {
		case *ssa.Function:
			fn = site
		case *ssa.MakeClosure:
			fn = site.Fn.(*ssa.Function)
		default:
			continue
		}
		nodes := l.Graph.NodesOf(fn)
		for _, node := range nodes {
			if node.Context == o.Context || len(nodes) == 1 {
				all = append(all, node)
			}
		}
	}
	return all
}

// keptCalledBy is calledBy without what neither is kept nor runs anything that is.
func (l *Facts) keptCalledBy(n *pointsto.Node) []*pointsto.Node {
	return slices.DeleteFunc(l.calledBy(n), func(m *pointsto.Node) bool { return !l.Kept.Kept[m] && !l.MayCallBack(m) })
}

// calledBy returns what a node calls in its own goroutine.
func (l *Facts) calledBy(n *pointsto.Node) (callees []*pointsto.Node) {
	for _, e := range l.Graph.Calls(n) {
		if _, isGo := e.Site.(*ssa.Go); !isGo {
			callees = append(callees, e.Callee)
		}
	}
	return callees
}

// Follow adds what can be reached from the nodes in one step or more.
func Follow(from []*pointsto.Node, reached map[*pointsto.Node]bool, next func(*pointsto.Node) []*pointsto.Node) {
	work := from
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[: len(work)-1 : len(work)-1]
		for _, m := range next(n) {
			if !reached[m] {
				reached[m] = true
				work = append(work, m)
			}
		}
	}
}

// StoresTo counts the uses of a package variable, other than loads, in reachable
// functions.
func (l *Facts) StoresTo(global *ssa.Global) int {
	count := 0
	for _, use := range l.UsesOf(global) {
		if load, ok := use.Instr.(*ssa.UnOp); !ok || load.Op != token.MUL {
			count++
		}
	}
	return count
}

// CallersOf returns what leads to n by calls, in the goroutine of n.
func (l *Facts) CallersOf(n *pointsto.Node) map[*pointsto.Node]bool {
	all := map[*pointsto.Node]bool{n: true}
	work := []*pointsto.Node{n}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range l.Graph.Callers(n) {
			if !e.IsStart() && !all[e.Caller] {
				all[e.Caller] = true
				work = append(work, e.Caller)
			}
		}
	}
	return all
}

// NodeValue is a value of a call-graph node.
type NodeValue struct {
	Node  *pointsto.Node
	Value ssa.Value
}

// Reached returns what can be reached through the points-to set of a value. It is
// asked for in every state, and takes long where much can be reached.
func (l *Facts) Reached(n *pointsto.Node, v ssa.Value) uint {
	key := NodeValue{Node: n, Value: v}
	if known, ok := l.knownReached[key]; ok {
		return known
	}
	all := pointsto.BySet(l.Graph, l.reachedFrom, n, v, func() uint { return l.findReached(n, v) })
	l.knownReached[key] = all
	return all
}

// findReached is Reached at the first time.
func (l *Facts) findReached(n *pointsto.Node, v ssa.Value) (all uint) {
	for _, o := range l.Graph.Reachable(l.Graph.PointsTo(n, v).Objects()...) {
		for k, star := range l.Stars.Stars {
			if star.Objects[o] {
				all |= ObjectBit(k) | ContentsBit(k)
			}
		}
		for _, at := range l.Stars.Regions(o) {
			all |= ContentsBit(at.Star)
		}
	}
	return all
}

// IsCalled tells whether the callee is what the site calls, not what that calls back.
func IsCalled(e pointsto.Edge) bool {
	static := e.Site.Common().StaticCallee()
	return static == nil || static == e.Callee.Func
}
