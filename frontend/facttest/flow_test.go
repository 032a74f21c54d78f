package facttest_test

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/facttest"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// flowFacts are dominance, reachability, loops and liveness.
func flowFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	seen := map[*ssa.Function]bool{}
	for _, n := range p.Graph(t).Nodes() {
		if !p.IsOwn(n.Func) || seen[n.Func] || len(n.Func.Blocks) == 0 {
			continue
		}
		seen[n.Func] = true
		facts = append(facts, functionFacts(n.Func)...)
	}
	return facts
}

func functionFacts(fn *ssa.Function) []judge.Fact {
	var facts []judge.Fact
	flow := ssaflow.NewFlow(ssaflow.NewFunction(fn, func(ssa.Instruction) []ssa.Value { return nil }))
	for _, b := range fn.Blocks {
		last := b.Instrs[len(b.Instrs)-1]
		if !ssaflow.IsInCycle(b) {
			facts = append(facts, judge.OnceEach{At: last})
		}
		for _, c := range fn.Blocks {
			end := c.Instrs[len(c.Instrs)-1]
			if flow.StrictlyDominates(flow.At[last], flow.At[end]) {
				facts = append(facts, judge.Dominates{A: b, B: c})
			}
			if !ssaflow.BlockReaches(b, c, nil) && c != fn.Recover {
				facts = append(facts, judge.CannotReach{From: last, To: end})
			} else if b != c && c != fn.Recover && ssaflow.IsInCycle(b) && !ssaflow.RepeatsWithout(b, c) {
				facts = append(facts, judge.CannotReach{From: last, To: last, Between: []ssa.Instruction{end}})
			}
		}
		facts = append(facts, deadFacts(flow, last)...)
	}
	for _, loop := range ssaflow.NaturalLoops(fn) {
		if header := ssaflow.LoopHeader(loop); ssaflow.LoopBound(header) != nil {
			facts = append(facts, judge.Bounded{Header: header, Bound: ssaflow.LoopBound(header)})
		}
		if counted := ssaflow.CountLoop(loop); counted != nil {
			f := judge.Bounded{Header: ssaflow.LoopHeader(loop), Bound: counted.Bound, Exact: counted.Exact,
				AtEnd: counted.From == counted.Latch}
			for exit := range counted.Exits(loop) {
				if exit.From == counted.From {
					f.Exit = [2]*ssa.BasicBlock{exit.From, exit.To}
				}
			}
			facts = append(facts, f)
		}
	}
	return facts
}

// deadFacts are the values that are dead at an instruction, but for those that are read after a
// panic: that the liveness does not know of control that goes to the recover block is known.
func deadFacts(flow *ssaflow.Flow, at ssa.Instruction) []judge.Fact {
	var facts []judge.Fact
	live := flow.LiveBefore(flow.At[at])
	for _, i := range flow.Instrs {
		v, ok := i.(ssa.Value)
		if ok && !live[v] && v.Referrers() != nil && len(*v.Referrers()) > 0 && !isReadAfterPanic(v) {
			facts = append(facts, judge.Dead{Value: v, At: at})
		}
	}
	return facts
}

// multiplicityFacts are what happens at most once, and in one goroutine.
func multiplicityFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	graph := p.Graph(t)
	nodes := facttest.NewNodes(graph)
	a := multiplicity.New(graph)
	var facts []judge.Fact
	for _, n := range graph.Nodes() {
		if !p.IsOwn(n.Func) {
			continue
		}
		in := nodes.In(n)
		if a.Once(n) {
			facts = append(facts, judge.EnteredOnce{Function: n.Func, In: in})
		}
		if a.Sequential(n) {
			facts = append(facts, judge.OneGoroutine{Function: n.Func, In: in})
		}
		if a.Unrepeated(n) {
			facts = append(facts, judge.StartedOnce{Function: n.Func, In: in, Kind: startOf(nodes)})
		}
		for _, b := range n.Func.Blocks {
			last := b.Instrs[len(b.Instrs)-1]
			if a.OnceAt(n, last) {
				facts = append(facts, judge.Once{At: last, In: in})
			}
			if !a.InLoop(b) {
				facts = append(facts, judge.OnceEach{At: last})
			}
		}
	}
	return facts
}

// startOf returns where a goroutine was started: the node and the instruction. Of several nodes
// that it may be, it is not known which: such goroutines are all different.
func startOf(nodes *facttest.Nodes) func(execute.Goroutine) any {
	type start struct {
		node *pointsto.Node
		site ssa.CallInstruction
	}
	return func(g execute.Goroutine) any {
		by, site, ok := g.By()
		if !ok {
			return g
		}
		if all := nodes.Of(by); len(all) == 1 {
			return start{all[0], site}
		}
		return g
	}
}

// isReadAfterPanic tells whether the recover block reads a value, as the address of a result.
func isReadAfterPanic(v ssa.Value) bool {
	for _, i := range *v.Referrers() {
		if i.Block() == i.Parent().Recover {
			return true
		}
	}
	return false
}
