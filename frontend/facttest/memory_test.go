package facttest_test

import (
	"fmt"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/facttest"
	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// pointsToFacts are what registers point to, and what calls run.
func pointsToFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	graph := p.Graph(t)
	nodes := facttest.NewNodes(graph)
	var facts []judge.Fact
	pointer := func(n *pointsto.Node, v ssa.Value) {
		if !fresh.HoldsPointers(v.Type()) {
			return
		}
		set := graph.PointsTo(n, v)
		facts = append(facts, judge.MayPointTo{
			Value: v, In: nodes.In(n), Set: fmt.Sprint(set.Objects()),
			May: func(place execute.Place) bool { return facttest.MayBe(set, place.Object()) },
		})
	}
	for _, n := range graph.Nodes() {
		if p.IsOwn(n.Func) {
			for _, param := range n.Func.Params {
				pointer(n, param)
			}
		}
	}
	p.Instructions(graph, func(n *pointsto.Node, i ssa.Instruction) {
		if call, ok := i.(ssa.CallInstruction); ok {
			if _, isBuiltin := call.Common().Value.(*ssa.Builtin); !isBuiltin {
				facts = append(facts, callFact(graph, nodes, n, call))
			}
		}
		switch v := i.(type) {
		case *ssa.Alloc, *ssa.FieldAddr, *ssa.UnOp, *ssa.Phi, *ssa.Lookup, *ssa.Slice, *ssa.IndexAddr,
			*ssa.TypeAssert, *ssa.Call:
			pointer(n, v.(ssa.Value))
		}
	})
	return facts
}

func callFact(graph *pointsto.Result, nodes *facttest.Nodes, n *pointsto.Node, call ssa.CallInstruction) judge.Fact {
	callees := map[*ssa.Function]bool{}
	for _, callee := range graph.Callees(n, call) {
		callees[callee.Func] = true
	}
	may := func(f *ssa.Function) bool { return callees[f] }
	return judge.MayCall{Site: call, In: nodes.In(n), Set: fmt.Sprint(graph.Callees(n, call)), May: may}
}

// freshFacts are accesses to memory that nobody else can reach, from where to where it stays so,
// what is lent to calls, and what is never written when it is shared.
func freshFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	graph := p.Graph(t)
	nodes := facttest.NewNodes(graph)
	a := fresh.New(t.Context(), graph)
	var facts []judge.Fact
	found, stores := map[*ssa.BasicBlock]bool{}, map[*ssa.Store]bool{}
	p.Instructions(graph, func(n *pointsto.Node, i ssa.Instruction) {
		in := nodes.In(n)
		if !found[i.Block()] {
			found[i.Block()] = true
			ssaflow.FindFresh(i.Block(), stores)
		}
		if store, ok := i.(*ssa.Store); ok && stores[store] && !ofSynchronisation(store.Addr) {
			facts = append(facts, judge.Private{At: i, In: in, Value: path(store.Addr)})
		}
		for _, v := range pointers(i) {
			if ofSynchronisation(v) || !a.Is(n, v, i) {
				continue
			}
			facts = append(facts, judge.Private{At: i, In: in, Value: path(v)})
			for _, until := range i.Block().Instrs {
				if _, ok := a.IsKeptUntil(n, v, i, until); ok && until != i && after(i, until) {
					facts = append(facts, judge.PrivateUntil{From: i, Until: until, In: in, Value: path(v)})
				}
			}
		}
		call, ok := i.(*ssa.Call)
		if !ok {
			return
		}
		for _, argument := range call.Call.Args {
			if fresh.HoldsPointers(argument.Type()) && !ofSynchronisation(argument) && a.IsLent(n, call, argument) {
				facts = append(facts, judge.PrivateUntil{From: call, Until: next(call), In: in, Value: path(argument)})
			}
		}
		for _, callee := range graph.Callees(n, call) {
			for at, argument := range call.Call.Args {
				if !ofSynchronisation(argument) && a.FreshArguments(n, call, callee, 0)&(1<<at) != 0 {
					facts = append(facts, judge.Private{At: call, In: in, Value: path(argument)})
				}
			}
		}
		if call.Call.Signature().Results().Len() == 1 && fresh.HoldsPointers(call.Type()) && a.Returns(n, call, 0) {
			facts = append(facts, judge.Private{At: next(call), In: in, Value: path(call)})
		}
	})
	return append(facts, frozenFacts(p, graph, a, nodes)...)
}

// ofSynchronisation tells whether the pointer is to a synchronisation object: operations on
// those are no accesses, and nothing is claimed of their memory.
func ofSynchronisation(v ssa.Value) bool {
	p, ok := v.Type().Underlying().(*types.Pointer)
	return ok && facttest.IsSynchronisation(p.Elem())
}

// pointers are the values that the instruction accesses memory through.
func pointers(i ssa.Instruction) []ssa.Value {
	switch v := i.(type) {
	case *ssa.Store:
		return []ssa.Value{v.Addr}
	case *ssa.UnOp:
		if fresh.HoldsPointers(v.X.Type()) {
			return []ssa.Value{v.X}
		}
	case *ssa.MapUpdate:
		return []ssa.Value{v.Map}
	case *ssa.Lookup:
		return []ssa.Value{v.X}
	case *ssa.Call:
		var all []ssa.Value
		for _, x := range v.Call.Args {
			if fresh.HoldsPointers(x.Type()) {
				all = append(all, x)
			}
		}
		return all
	}
	return nil
}

// after tells whether an instruction comes later in the same block.
func after(i, later ssa.Instruction) bool {
	for _, x := range i.Block().Instrs {
		switch x {
		case i:
			return true
		case later:
			return false
		}
	}
	return false
}

// next returns the instruction behind one that does not end its block.
func next(i ssa.Instruction) ssa.Instruction {
	all := i.Block().Instrs
	for k, x := range all {
		if x == i {
			return all[k+1]
		}
	}
	return nil
}

// frozenFacts are the cells that are not written once others can reach them.
func frozenFacts(p *facttest.Program, graph *pointsto.Result, a *fresh.Analysis, nodes *facttest.Nodes) []judge.Fact {
	own := map[ssa.Instruction][]*pointsto.Object{}
	a.Watch(graph.Objects()...)
	var sites []ssa.Instruction
	for _, o := range graph.Objects() {
		site, ok := o.Site.(ssa.Instruction)
		if !ok || !p.IsOwn(site.Parent()) {
			continue
		}
		if own[site] == nil {
			sites = append(sites, site)
		}
		own[site] = append(own[site], o)
	}
	var facts []judge.Fact
	for _, site := range sites {
		objects := own[site]
		switch site.(type) {
		case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
		default:
			continue
		}
		isConstant := func(place execute.Place) bool {
			if t := place.Type(); t != nil && facttest.IsSynchronisation(t) {
				return false
			}
			for _, o := range objects {
				if a.IsCellWritten(pointsto.Cell{Object: o, Path: facttest.CellPath(place)}) {
					return false
				}
			}
			return true
		}
		facts = append(facts, judge.Frozen{Site: site, Name: "what is said to be constant", Part: isConstant})
	}
	return facts
}
