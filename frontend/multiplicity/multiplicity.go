// Package multiplicity tells how often a call-graph node can be entered and an
// instruction executed: at most once in a run of the program, or possibly more
// often. What is executed at most once makes at most one object, one goroutine.
package multiplicity

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Analysis answers the questions about one call graph.
type Analysis struct {
	graph   *pointsto.Result
	once    map[*pointsto.Node]answer
	loops   map[*ssa.Function]map[*ssa.BasicBlock]bool
	threads map[*pointsto.Node]threads
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

// threads is a set of goroutines, as far as it matters.
type threads struct {
	some     bool
	one      thread // the only one, unless there are many
	many     bool
	repeated bool // one of them may be started more than once
}

// join returns the union of two sets.
func (t threads) join(u threads) threads {
	switch {
	case !t.some:
		return u
	case !u.some:
		return t
	}
	joined := threads{some: true, one: t.one, many: t.many || u.many || t.one != u.one, repeated: t.repeated || u.repeated}
	if joined.many {
		joined.one = thread{}
	}
	return joined
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
	t := a.threadsOf(n)
	return t.some && !t.many && !t.repeated
}

// Unrepeated tells whether every goroutine that can run n is started at most once:
// the model has each of them, whatever the number of copies.
func (a *Analysis) Unrepeated(n *pointsto.Node) bool { return !a.threadsOf(n).repeated }

// Goroutines are those that can do something.
type Goroutines struct{ threads }

// GoroutinesOf returns the goroutines that can run n.
func (a *Analysis) GoroutinesOf(n *pointsto.Node) Goroutines { return Goroutines{a.threadsOf(n)} }

// With returns these and others.
func (g Goroutines) With(others Goroutines) Goroutines { return Goroutines{g.join(others.threads)} }

// AreSeveral tells whether two of them may run at the same time.
func (g Goroutines) AreSeveral() bool { return g.many || g.repeated }

// threadsOf returns the goroutines that can run n.
func (a *Analysis) threadsOf(n *pointsto.Node) threads {
	if a.threads == nil {
		a.findThreads()
	}
	return a.threads[n]
}

// findThreads computes which goroutines can run each node. Linear in the size of the
// call graph: what is known of a node changes three times.
func (a *Analysis) findThreads() {
	a.threads = map[*pointsto.Node]threads{}
	var work []*pointsto.Node
	add := func(n *pointsto.Node, t threads) {
		if old := a.threads[n]; old.join(t) != old {
			a.threads[n] = old.join(t)
			work = append(work, n)
		}
	}
	for _, n := range a.graph.Nodes() {
		if a.isRoot(n) {
			add(n, threads{some: true})
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		anyTime := a.callsAnyTime(n)
		for _, e := range a.graph.Calls(n) {
			if e.IsStart() || anyTime {
				often := e.Start != nil && e.Start.Often
				add(e.Callee, threads{some: true, one: thread{n, e.Site, often},
					repeated: often || anyTime || !a.OnceAt(n, e.Site)})
			} else {
				add(e.Callee, a.threads[n])
			}
		}
	}
}

// Begins tells whether a goroutine may begin with what is called: it is started, or called back by what has no body, at
// any time.
func (a *Analysis) Begins(e pointsto.Edge) bool {
	return e.IsStart() || a.callsAnyTime(e.Caller)
}

// callsAnyTime tells whether a node calls what it is handed at any time: nobody has seen what it does.
func (a *Analysis) callsAnyTime(n *pointsto.Node) bool {
	return !a.hasBody(n) && !knowledge.CallsAtOnce(n.Func)
}

// hasBody tells whether the analysis has seen what n does. What another node calls
// back, it can call at any time and any number of times.
func (a *Analysis) hasBody(n *pointsto.Node) bool {
	return len(n.Func.Blocks) > 0 && a.graph.Analysed(n)
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

// blocksInCycles returns the blocks that lie on a cycle of the control-flow graph:
// those in a strongly connected component with another one, or that are their own
// successors (Kosaraju's algorithm). Linear in the size of the function.
func blocksInCycles(fn *ssa.Function) map[*ssa.BasicBlock]bool {
	in := map[*ssa.BasicBlock]bool{}
	assigned := map[*ssa.BasicBlock]bool{}
	for _, root := range slices.Backward(postorder(fn)) {
		if assigned[root] {
			continue
		}
		assigned[root] = true
		component := []*ssa.BasicBlock{root}
		for i := 0; i < len(component); i++ {
			for _, p := range component[i].Preds {
				if !assigned[p] {
					assigned[p] = true
					component = append(component, p)
				}
			}
		}
		for _, b := range component {
			in[b] = len(component) > 1 || slices.Contains(b.Succs, b)
		}
	}
	return in
}

// postorder returns the blocks in the order in which a depth-first search leaves them.
func postorder(fn *ssa.Function) []*ssa.BasicBlock {
	type visit struct {
		block *ssa.BasicBlock
		next  int // successor
	}
	var order []*ssa.BasicBlock
	seen := make([]bool, len(fn.Blocks))
	for _, root := range fn.Blocks {
		if seen[root.Index] {
			continue
		}
		seen[root.Index] = true
		for stack := []visit{{root, 0}}; len(stack) > 0; {
			top := &stack[len(stack)-1]
			if top.next == len(top.block.Succs) {
				order = append(order, top.block)
				stack = stack[:len(stack)-1]
				continue
			}
			s := top.block.Succs[top.next]
			top.next++
			if !seen[s.Index] {
				seen[s.Index] = true
				stack = append(stack, visit{s, 0})
			}
		}
	}
	return order
}
