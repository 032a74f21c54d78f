// Package multiplicity tells how often a call-graph node can be entered and an
// instruction executed: at most once in a run of the program, or possibly more
// often. What is executed at most once makes at most one object, one goroutine.
package multiplicity

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Analysis answers the questions about one call graph.
type Analysis struct {
	graph  *pointsto.Result
	once   map[*pointsto.Node]answer
	loops  map[*ssa.Function]map[*ssa.BasicBlock]bool
	thread map[*pointsto.Node]map[thread]bool
}

type answer uint8

const (
	unknown answer = iota
	asking         // on the stack of the recursion: a cycle of calls
	yes
	no
)

// thread is a goroutine: the go statement that starts it, nil for the initial one.
type thread struct {
	caller *pointsto.Node
	site   ssa.CallInstruction
	often  bool // it starts any number of them
}

// New returns the analysis of a call graph.
func New(graph *pointsto.Result) *Analysis {
	return &Analysis{graph, map[*pointsto.Node]answer{}, map[*ssa.Function]map[*ssa.BasicBlock]bool{}, nil}
}

// Once tells whether the node is entered at most once in a run.
func (a *Analysis) Once(n *pointsto.Node) bool {
	switch a.once[n] {
	case yes:
		return true
	case no, asking:
		return false
	}
	a.once[n] = asking
	result := answer(no)
	if a.isRoot(n) || isInitializer(n.Func) {
		// The initial goroutine enters main once, and an initializer has
		// a guard; both lose that if the program calls them.
		if len(a.graph.Callers(n)) == 0 || isInitializer(n.Func) {
			result = yes
		}
	} else if callers := a.graph.Callers(n); len(callers) == 1 {
		if e := callers[0]; a.hasBody(e.Caller) && (e.Start == nil || !e.Start.Often) && a.OnceAt(e.Caller, e.Site) {
			result = yes
		}
	}
	a.once[n] = result
	return result == yes
}

// OnceAt tells whether the instruction is executed at most once in a run as part
// of node n.
func (a *Analysis) OnceAt(n *pointsto.Node, instr ssa.Instruction) bool {
	return !a.InLoop(instr.Block()) && a.Once(n)
}

// InLoop tells whether the block can be executed twice in one activation.
func (a *Analysis) InLoop(b *ssa.BasicBlock) bool {
	loops, ok := a.loops[b.Parent()]
	if !ok {
		loops = blocksInCycles(b.Parent())
		a.loops[b.Parent()] = loops
	}
	return loops[b]
}

// Sequential tells whether activations of n never run at the same time in two
// goroutines: one goroutine, which is started at most once, runs them all.
func (a *Analysis) Sequential(n *pointsto.Node) bool {
	if a.thread == nil {
		a.findThreads()
	}
	threads := a.thread[n]
	if len(threads) != 1 {
		return false
	}
	for t := range threads {
		return t.site == nil || !t.often && a.hasBody(t.caller) && a.OnceAt(t.caller, t.site)
	}
	return false
}

// Unrepeated tells whether every goroutine that can run n is started at most once:
// the model has each of them, whatever the number of copies.
func (a *Analysis) Unrepeated(n *pointsto.Node) bool {
	if a.thread == nil {
		a.findThreads()
	}
	for t := range a.thread[n] {
		if t.site != nil && (t.often || !a.hasBody(t.caller) || !a.OnceAt(t.caller, t.site)) {
			return false
		}
	}
	return true
}

// findThreads computes which goroutines can run each node.
func (a *Analysis) findThreads() {
	a.thread = map[*pointsto.Node]map[thread]bool{}
	var work []*pointsto.Node
	add := func(n *pointsto.Node, t thread) {
		if a.thread[n] == nil {
			a.thread[n] = map[thread]bool{}
		}
		if !a.thread[n][t] {
			a.thread[n][t] = true
			work = append(work, n)
		}
	}
	for _, n := range a.graph.Nodes() {
		if a.isRoot(n) {
			add(n, thread{})
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range a.graph.Calls(n) {
			if e.IsStart() || !a.hasBody(n) {
				add(e.Callee, thread{n, e.Site, e.Start != nil && e.Start.Often})
				continue
			}
			for t := range a.thread[n] {
				add(e.Callee, t)
			}
		}
	}
}

// hasBody tells whether the analysis has seen what n does. What another node calls
// back, it can call at any time and any number of times.
func (a *Analysis) hasBody(n *pointsto.Node) bool {
	return len(n.Func.Blocks) > 0 && a.graph.Analysed(n)
}

// RepeatsWithout tells whether control can come back to the block without passing
// the block between.
func RepeatsWithout(block, between *ssa.BasicBlock) bool {
	if block == between {
		return false
	}
	seen := map[*ssa.BasicBlock]bool{between: true}
	work := append([]*ssa.BasicBlock(nil), block.Succs...)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == block {
			return true
		}
		if !seen[b] {
			seen[b] = true
			work = append(work, b.Succs...)
		}
	}
	return false
}

func (a *Analysis) isRoot(n *pointsto.Node) bool {
	for _, r := range a.graph.Roots() {
		if r == n {
			return true
		}
	}
	return false
}

// isInitializer tells whether fn is the synthetic initializer of a package.
func isInitializer(fn *ssa.Function) bool { return fn.Synthetic == "package initializer" }

// blocksInCycles returns the blocks that lie on a cycle of the control-flow graph.
func blocksInCycles(fn *ssa.Function) map[*ssa.BasicBlock]bool {
	in := map[*ssa.BasicBlock]bool{}
	for _, b := range fn.Blocks {
		seen := map[*ssa.BasicBlock]bool{}
		work := append([]*ssa.BasicBlock(nil), b.Succs...)
		for len(work) > 0 && !in[b] {
			s := work[len(work)-1]
			work = work[:len(work)-1]
			if s == b {
				in[b] = true
			}
			if !seen[s] {
				seen[s] = true
				work = append(work, s.Succs...)
			}
		}
	}
	return in
}
