package facttest_test

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/facttest"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// aliasFacts are values that are said to be equal, not nil, or never assigned again.
func aliasFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	for _, q := range queries(t, p) {
		values := mustalias.New(q)
		nodes := facttest.NewNodes(q.Graph)
		seen := map[*ssa.Function]bool{}
		for _, n := range q.Graph.Nodes() {
			if !p.IsOwn(n.Func) || len(n.Func.Blocks) == 0 {
				continue
			}
			facts = append(facts, notNilFacts(values, n, nodes.In(n))...)
			facts = append(facts, lookFacts(values, n, nodes.In(n))...)
			if !seen[n.Func] {
				seen[n.Func] = true
				facts = append(facts, functionAliases(values.Function(n.Func))...)
			}
		}
	}
	return facts
}

func notNilFacts(values *mustalias.Values, n *pointsto.Node, in judge.Scope) []judge.Fact {
	var facts []judge.Fact
	add := func(v ssa.Value) {
		if _, isAlloc := v.(*ssa.Alloc); !isAlloc && ssaflow.IsPointerLike(v.Type()) && values.IsNeverNil(n, v, 0) {
			facts = append(facts, judge.NotNil{Value: v, In: in})
		}
	}
	for _, v := range n.Func.Params {
		add(v)
	}
	for _, b := range n.Func.Blocks {
		for _, i := range b.Instrs {
			if v, ok := i.(ssa.Value); ok {
				add(v)
			}
		}
	}
	return facts
}

// functionAliases are addresses of elements that are evidently one, pointers with one base, and
// variables that hold one value.
func functionAliases(f *mustalias.Function) []judge.Fact {
	var facts []judge.Fact
	same := func(v, w ssa.Value, i ssa.Instruction) {
		facts = append(facts, judge.SameValue{At: next(i), V: path(v), W: path(w)})
	}
	for element, leader := range f.Leaders {
		same(leader, element, element)
	}
	for load, first := range f.Again {
		same(first, load, load)
	}
	for variable := range f.OnceCells {
		facts = append(facts, judge.WrittenOnce{Site: variable})
	}
	type keyed struct {
		value ssa.Value
		at    ssa.Instruction
	}
	known := map[ssa.Value][]keyed{}
	numbered := map[any][]keyed{}
	numbers := mustalias.AddressNumbers{}
	for _, b := range f.Func.DomPreorder() {
		for _, i := range b.Instrs {
			v, ok := i.(ssa.Value)
			if _, isPhi := i.(*ssa.Phi); !ok || isPhi || !ssaflow.IsPointerLike(v.Type()) {
				continue
			}
			key := mustalias.BaseKey(v)
			for _, earlier := range known[key] {
				if ssaflow.Precedes(earlier.at, i) {
					same(earlier.value, v, i)
				}
			}
			known[key] = append(known[key], keyed{v, i})
			number := numbers.Number(v)
			for _, earlier := range numbered[number] {
				if ssaflow.Precedes(earlier.at, i) {
					same(earlier.value, v, i)
				}
			}
			numbered[number] = append(numbered[number], keyed{v, i})
		}
	}
	return facts
}

// lookFacts are pairs of reads in one function that are said to be of one place.
func lookFacts(values *mustalias.Values, n *pointsto.Node, in judge.Scope) []judge.Fact {
	var facts []judge.Fact
	flow := ssaflow.NewFlow(values.Function(n.Func).Function)
	for _, i := range flow.Instrs {
		if v, ok := i.(ssa.Value); ok && values.TouchesSet(n, i) && (modref.IsRead(i) || values.IsLookCall(n, i)) {
			flow.Looks = append(flow.Looks, v)
		}
	}
	for _, first := range flow.Looks {
		for _, second := range flow.Looks {
			a, isLoad := first.(*ssa.UnOp)
			b, alsoLoad := second.(*ssa.UnOp)
			if !isLoad || !alsoLoad || first == second || !ssaflow.Precedes(a, b) {
				continue
			}
			q := flow.At[b]
			inside, ok := flow.Between(flow.At[a], q)
			if !ok {
				continue
			}
			m := &mustalias.Matcher{Flow: flow, Node: n, L: values, Read: first, Q: q, Inside: inside}
			if m.Same(first, second) && m.Strict {
				facts = append(facts, judge.SameValue{At: next(b), In: in, V: path(a.X), W: path(b.X)})
			}
		}
	}
	return facts
}
