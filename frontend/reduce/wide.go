package reduce

import (
	"cmp"
	"slices"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// A lock is wide if most of a large program reaches operations on it. To model it would
// be to model all of that; to leave it out adds interleavings only. Package lower says so
// where it is used.

// widest returns how many nodes may be kept for the sake of locks, given how many are.
func widest(kept int) int { return max(2000, 4*kept) }

// dropWide keeps what has operations on the locks to be modelled, those first that take
// the fewest nodes, and leaves out the locks for which there would be too many.
func (r *Reduction) dropWide(graph *pointsto.Result, uses []lockUse) {
	users, more := map[pointsto.Cell][]*pointsto.Node{}, map[pointsto.Cell]bool{}
	for _, u := range uses {
		for _, c := range u.cells {
			if r.Locks[c] {
				users[c] = append(users[c], u.node)
				more[c] = more[c] || !u.isMutex // a semaphore, or a condition variable waits with it
			}
		}
	}
	type candidate struct {
		lock pointsto.Cell
		adds int
	}
	var all []candidate
	most := widest(len(r.Kept))
	for c, nodes := range users {
		if more[c] {
			continue
		}
		all = append(all, candidate{c, r.adds(graph, nodes, most)})
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.adds, b.adds), cmp.Compare(a.lock.Object.ID, b.lock.Object.ID), cmp.Compare(a.lock.Path, b.lock.Path))
	})
	r.Wide = map[pointsto.Cell]bool{}
	for _, c := range all {
		adds := r.adds(graph, users[c.lock], most)
		if adds > most {
			r.Wide[c.lock] = true
			delete(r.Locks, c.lock)
			continue
		}
		most -= adds
		r.keep(graph, users[c.lock])
	}
}

// adds counts the nodes that keep would add, up to one more than most.
func (r *Reduction) adds(graph *pointsto.Result, nodes []*pointsto.Node, most int) int {
	seen := map[*pointsto.Node]bool{}
	work := slices.Clone(nodes)
	for len(work) > 0 && len(seen) <= most {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[n] || r.reaches[n] {
			continue
		}
		seen[n] = true
		for _, e := range graph.Callers(n) {
			work = append(work, e.Caller)
		}
	}
	return len(seen)
}
