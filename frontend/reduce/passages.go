package reduce

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// A passage is a function that only leads to others that the model has: what it does
// itself would be left out if it called nothing of the kind. In a large program most of
// what reaches the checked type are passages, of libraries that call each other in knots.
// Where there are many, package lower has no model of them: one does in any order, and as
// often as it likes, what can be reached from it through passages alone. Each run of it
// is one of these, so that this only adds runs. The user's own functions are none, for
// what they do is to be seen in counterexamples, and the order in which they do it is what
// makes most programs right. For the same reason the locks, channels and wait groups that
// none of them uses are left out then.
//
// In the outline of a large program most of the user's functions are passages, too. What is
// safe there is safe by what the functions that access the set do themselves, and the locks
// that they use: in any context, and so in a program of any size.

// manyPassages is from how many kept nodes on there are passages.
const manyPassages = 100

// loose is a set of functions that are not followed, while it is found.
type loose struct {
	*Reduction
	graph   *pointsto.Result
	set     map[*pointsto.Node]bool
	objects [][]*pointsto.Node // the kept users of each synchronisation object
}

// findPassages takes passages out of the kept nodes.
func (r *Reduction) findPassages(graph *pointsto.Result, stars *isolate.Isolation) {
	p := &loose{Reduction: r, graph: graph, set: r.Passages}
	p.find(func(n *pointsto.Node) bool {
		return !r.accessing[n] && r.Direct[n] == nil && !r.keepsOrder(n) && !stars.MakesHolder(n) && !constructsAny(stars, n)
	})
	for n := range r.Passages {
		delete(r.Kept, n)
	}
}

// find finds the largest set of functions that may be in it, and that need not be followed for what
// others do.
func (p *loose) find(mayBe func(*pointsto.Node) bool) {
	p.findObjects()
	var candidates []*pointsto.Node
	for _, n := range p.KeptOf(p.graph) {
		if !p.operating[n] && !p.roots[n] && mayBe(n) {
			p.set[n] = true
			candidates = append(candidates, n)
		}
	}
	p.dropIterators()
	for again := true; again; {
		again = p.dropUsers()
		for _, n := range candidates {
			if p.set[n] && p.isFollowed(n) {
				delete(p.set, n)
				again = true
			}
		}
	}
}

// findObjects finds who uses wait groups and the like. (Who uses a channel that is modelled
// is demanded.)
func (p *loose) findObjects() {
	const operations = knowledge.WaitGroups | knowledge.Semaphores | knowledge.Flights |
		knowledge.CondWaits | knowledge.Onces | knowledge.GroupLimits
	users, index := map[pointsto.Cell][]*pointsto.Node{}, []pointsto.Cell(nil)
	for _, e := range p.graph.CallsTo(operations) {
		if !p.Kept[e.Caller] {
			continue
		}
		for _, c := range cellsOf(p.graph, e.Caller, Receiver(e.Site.Common())) {
			if users[c] == nil {
				index = append(index, c)
			}
			users[c] = append(users[c], e.Caller)
		}
	}
	for _, c := range index {
		p.objects = append(p.objects, users[c])
	}
}

// dropUsers drops the functions that use an object which somebody uses who is none: where
// one goroutine waits for another both are to be seen. It reports whether there was one.
func (p *loose) dropUsers() (dropped bool) {
	for _, users := range p.objects {
		seen := false
		for _, n := range users {
			seen = seen || p.Kept[n] && !p.set[n]
		}
		for _, n := range users {
			if seen && p.set[n] {
				delete(p.set, n)
				dropped = true
			}
		}
	}
	return dropped
}

// isFollowed tells whether package lower follows the node together with a caller or callee
// that is no passage: what runs inside of an operation with a model of its own, who
// recovers from whose panics, and a function with the bodies of loops over functions in it.
func (p *loose) isFollowed(n *pointsto.Node) bool {
	parts := slices.DeleteFunc(slices.Clone(n.Func.AnonFuncs), func(f *ssa.Function) bool { return !isLoopBody(f) })
	if isLoopBody(n.Func) {
		parts = append(parts, n.Func.Parent())
	}
	for _, f := range parts {
		if slices.ContainsFunc(p.graph.NodesOf(f), func(m *pointsto.Node) bool { return p.Kept[m] && !p.set[m] }) {
			return true
		}
	}
	recovering := recovers(p.graph, n)
	for _, e := range p.graph.Callers(n) {
		if p.set[e.Caller] || !p.Kept[e.Caller] {
			continue
		}
		_, isDefer := e.Site.(*ssa.Defer)
		if _, isFlight := knowledge.FlightOperation(e.Caller.Func); isDefer && recovering || isFlight ||
			knowledge.IsSynchronisation(e.Caller.Func) || knowledge.IsSynchronisation(n.Func) {
			return true
		}
	}
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Defer); ok {
				for _, callee := range p.graph.Callees(n, call) {
					if p.Kept[callee] && !p.set[callee] && recovers(p.graph, callee) {
						return true
					}
				}
			}
		}
	}
	return false
}

// dropIterators drops what runs between a function and the body of a loop over a function
// in it: what the body defers runs after all of that.
func (p *loose) dropIterators() {
	var work []*pointsto.Node
	for _, n := range p.KeptOf(p.graph) {
		if !p.set[n] && isLoopBody(n.Func) && defers(n.Func) {
			work = append(work, n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range p.graph.Callers(n) {
			if p.set[e.Caller] && !e.IsStart() {
				delete(p.set, e.Caller)
				work = append(work, e.Caller)
			}
		}
	}
}

// defers tells whether the function defers a call.
func defers(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if _, ok := instr.(*ssa.Defer); ok {
				return true
			}
		}
	}
	return false
}

// isLoopBody tells whether the function is the body of a loop over a function.
func isLoopBody(fn *ssa.Function) bool { return fn.Synthetic == "range-over-func yield" }

// recovers tells whether the node calls recover, or may be a wrapper of one that does.
func recovers(graph *pointsto.Result, n *pointsto.Node) bool {
	if n.Func.Synthetic != "" {
		for _, e := range graph.Calls(n) {
			if callsRecover(e.Callee.Func) {
				return true
			}
		}
	}
	return callsRecover(n.Func)
}

func callsRecover(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok {
				if builtin, ok := call.Common().Value.(*ssa.Builtin); ok && builtin.Name() == "recover" {
					return true
				}
			}
		}
	}
	return false
}
