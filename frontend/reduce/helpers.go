package reduce

import (
	"slices"

	"github.com/empire-go/empire-go/frontend/channel"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Synchronisation is often put into a function of its own, as in s.lock(), s.waitReady()
// or s.stop(), which accesses nothing else. Such a helper would not be kept for itself,
// and what it waits for would order nothing.

// helperDepth is how many calls lead from a kept node to a helper, at most.
const helperDepth = 2

// helpers returns the nodes that are no kept ones and that kept ones call, in order.
func (r *Reduction) helpers(graph *pointsto.Result) []*pointsto.Node {
	var all []*pointsto.Node
	seen := map[*pointsto.Node]bool{}
	level := r.KeptOf(graph)
	isLibrary := channel.Libraries(graph)
	for range helperDepth {
		var next []*pointsto.Node
		for _, n := range level {
			if !r.isSeen(n) {
				continue
			}
			for _, e := range graph.Calls(n) {
				if to := e.Callee; !e.IsStart() && !r.Kept[to] && !seen[to] && !passes(to) && !knowledge.IsOperation(to.Func) &&
					!isLibrary(to.Func) {
					seen[to] = true
					next = append(next, to)
				}
			}
		}
		all = append(all, next...)
		level = next
	}
	slices.SortFunc(all, func(a, b *pointsto.Node) int { return a.ID - b.ID })
	return all
}

// mostForHelpers returns how many nodes may be kept for the sake of what only helpers
// operate on, given how many are: to leave such a channel out adds interleavings only.
func mostForHelpers(kept int) int { return max(100, kept) }

// keepHelpers keeps what operates on the channels that only helpers operate on, and that
// can be modelled. It reports whether it has kept any more nodes.
func (r *Reduction) keepHelpers(graph *pointsto.Result, often *multiplicity.Analysis, stars *isolate.Isolation) bool {
	var objects []*pointsto.Object
	for _, o := range channel.OperatedOn(graph, r.helpers(graph)) {
		if _, known := r.uses[o]; !known && !r.helped[o] {
			r.helped[o] = true
			objects = append(objects, o)
		}
	}
	before, most := len(r.Kept), mostForHelpers(len(r.Kept))
	found := channel.Find(graph, often, stars, channel.Uses(graph, objects))
	for _, o := range objects {
		if found[o] == nil {
			continue
		}
		var users []*pointsto.Node
		for _, u := range found[o].Uses {
			users = append(users, u.Node)
		}
		if adds := r.adds(graph, users, most, r.isSeen); adds <= most {
			most -= adds
			r.keep(graph, users)
		}
	}
	return len(r.Kept) > before
}

// unbalanced returns the helpers that take a lock and do not release it, or release one
// that they have not taken, by the locks.
func (r *Reduction) unbalanced(graph *pointsto.Result, uses []lockUse) map[*pointsto.Node]bool {
	type at struct {
		node *pointsto.Node
		lock pointsto.Cell
	}
	takes, releases := map[at]bool{}, map[at]bool{}
	for _, u := range uses {
		for _, c := range u.cells {
			if u.isMutex && u.op.IsTaking() {
				takes[at{u.node, c}] = true
			} else if u.isMutex {
				releases[at{u.node, c}] = true
			}
		}
	}
	helps := map[*pointsto.Node]bool{}
	for _, n := range r.helpers(graph) {
		helps[n] = true
	}
	found := map[*pointsto.Node]bool{}
	for _, u := range uses {
		for _, c := range u.cells {
			if u.isMutex && helps[u.node] && takes[at{u.node, c}] != releases[at{u.node, c}] {
				found[u.node] = true
			}
		}
	}
	return found
}
