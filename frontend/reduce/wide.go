package reduce

import (
	"cmp"
	"slices"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// A lock is wide if so much of the user's program reaches operations on it that to model
// it would be to model most of that; to leave it out adds interleavings only. Package
// lower says so where it is used. In a large model so are the locks of libraries that
// none of the user's own functions uses.

// dropForeign leaves out, where there are passages, the locks that none of the user's own
// functions takes or releases.
func (r *Reduction) dropForeign(stars *isolate.Isolation, uses []lockUse) {
	if !r.large {
		return
	}
	seen := map[pointsto.Cell]bool{}
	for _, u := range uses {
		for _, c := range u.cells {
			seen[c] = seen[c] || !u.isMutex || r.isSeen(u.node)
		}
	}
	for c := range r.Locks {
		if !seen[c] && !isOfModel(stars, c) {
			r.Wide[c] = true
			delete(r.Locks, c)
		}
	}
}

// dropWideOwners leaves out the owners of stars on whose locks so much of the program operates.
func (r *Reduction) dropWideOwners(graph *pointsto.Result, stars *isolate.Isolation, uses []lockUse) {
	for _, w := range slices.Clone(stars.Owners()) {
		var users []*pointsto.Node
		for _, u := range uses {
			if slices.ContainsFunc(u.cells, func(c pointsto.Cell) bool { return c.Object == w.Object }) {
				users = append(users, u.node)
			}
		}
		if most := widest(len(r.Kept)); r.adds(graph, users, most, r.isSeen) > most {
			stars.LeaveOwner(w.Object)
		}
	}
}

// becomesLarge tells whether there are to be passages because of the locks.
func (r *Reduction) becomesLarge(graph *pointsto.Result, stars *isolate.Isolation, uses []lockUse) bool {
	var users []*pointsto.Node
	for _, u := range uses {
		if slices.ContainsFunc(u.cells, func(c pointsto.Cell) bool { return r.Locks[c] || isOfModel(stars, c) }) {
			users = append(users, u.node)
		}
	}
	return len(r.Kept)+r.adds(graph, users, manyPassages, func(*pointsto.Node) bool { return true }) > manyPassages
}

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
		all = append(all, candidate{c, r.adds(graph, nodes, most, r.isSeen)})
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.adds, b.adds), cmp.Compare(a.lock.Object.ID, b.lock.Object.ID),
			cmp.Compare(a.lock.Path, b.lock.Path))
	})
	for _, c := range all {
		adds := r.adds(graph, users[c.lock], most, r.isSeen)
		if adds > most {
			r.Wide[c.lock] = true
			delete(r.Locks, c.lock)
			continue
		}
		most -= adds
		r.keep(graph, users[c.lock])
	}
}

// adds counts the nodes that keep would add, of those that count, up to one more than
// most.
func (r *Reduction) adds(graph *pointsto.Result, nodes []*pointsto.Node, most int, counts func(*pointsto.Node) bool) (
	found int) {
	seen := map[*pointsto.Node]bool{}
	work := slices.Clone(nodes)
	for len(work) > 0 && found <= most {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[n] || r.reaches[n] {
			continue
		}
		if seen[n] = true; counts(n) {
			found++
		}
		for _, e := range graph.Callers(n) {
			work = append(work, e.Caller)
		}
	}
	return found
}
