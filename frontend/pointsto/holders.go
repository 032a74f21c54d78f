package pointsto

import (
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Region is the memory of some objects.
type Region struct {
	labels    []uint64 // bit set: the addresses of their cells
	low, high uint32   // the first and the last word of it that is not zero
	objects   []bool   // by ID

	nothing, nothingIn []uint64 // bit sets of cells and nodes that lead to nothing in it: see EncodedWithin
}

// Region returns the memory of the objects.
func (r *Result) Region(objects ...*Object) *Region {
	s := r.s
	g := &Region{labels: make([]uint64, len(s.cells)/64+1), low: math.MaxUint32, objects: make([]bool, len(s.objects))}
	for _, o := range objects {
		g.objects[o.ID] = true
	}
	for label := range s.cells {
		if c := s.plain(uint32(label)); c != 0 && g.objects[s.cells[c].object] {
			g.high = uint32(label / 64)
			g.low = min(g.low, g.high)
			g.labels[g.high] |= 1 << (label % 64)
		}
	}
	return g
}

// meets reports whether a label is the address of a cell of the region.
func (g *Region) meets(labels set) bool {
	for _, w := range labels[labels.seek(0, g.low):] {
		if w.key > g.high {
			return false
		}
		if w.bits&g.labels[w.key] != 0 {
			return true
		}
	}
	return false
}

// MayPointInto reports whether PointsTo(n, v) has a cell of the region, without making
// the set.
func (r *Result) MayPointInto(n *Node, v ssa.Value, g *Region) bool {
	first, slots := r.nodesFor(n, v)
	for i := range slots {
		if g.meets(r.s.node(r.s.find(first + i)).points) {
			return true
		}
	}
	return false
}

// Within returns the cells of the set that are in the region.
func (s Set) Within(g *Region) []Cell {
	var cells []Cell
	for c := range s.cells.all {
		if o := s.s.objectOf(c); g.objects[o.ID] {
			cells = append(cells, Cell{o, o.layout.paths[c-o.base]})
		}
	}
	return cells
}

// Holders returns the call-graph nodes with a value that may point into one of the
// objects, in order of IDs: all that can access them, but for what library functions
// do through reflection. Linear in the values of the program, and fast.
func (r *Result) Holders(objects ...*Object) []*Node {
	r.poll.Check()
	s, g := r.s, r.Region(objects...)
	holds := make([]bool, len(s.order))
	s.forOwned(g.meets, func(owner int32, _ uint32) { holds[owner] = true })
	s.addUsers(holds, g.objects)
	if s.refinement != nil {
		s.base.addUsers(holds, g.objects)
	}
	var nodes []*Node
	for _, n := range r.nodes {
		if holds[n.ID] {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// ownedSet is a call-graph node, and the representative of values of it.
type ownedSet uint64

func (p ownedSet) owner() int32           { return int32(p >> 32) }
func (p ownedSet) representative() uint32 { return uint32(p) }

// ownersOf returns the call-graph nodes with values whose points-to sets are of
// interest, with each of those sets, in order.
func (s *solver) ownersOf(isOfInterest func(set) bool) []ownedSet {
	var all []ownedSet
	s.forOwned(isOfInterest, func(owner int32, representative uint32) {
		all = append(all, ownedSet(uint64(owner)<<32|uint64(representative)))
	})
	slices.Sort(all)
	return slices.Compact(all)
}

// forOwned calls do for each value of a call-graph node whose points-to set is of
// interest. Values share sets, and each is looked at once.
func (s *solver) forOwned(isOfInterest func(set) bool, do func(owner int32, representative uint32)) {
	const unknown, yes, no = 0, 1, 2
	is := make([]uint8, len(s.parent))
	for n, owner := range s.owners {
		if owner < 0 {
			continue
		}
		representative := s.parent[n]
		if is[representative] == unknown {
			is[representative] = no
			if isOfInterest(s.node(representative).points) {
				is[representative] = yes
			}
		}
		if is[representative] == yes {
			do(owner, representative)
		}
	}
}

// addUsers adds the nodes that name a global or function among the objects.
func (s *solver) addUsers(holds, is []bool) {
	for id, users := range s.users {
		if is[s.cells[s.node(id).fixed].object] {
			for _, user := range users {
				holds[user] = true
			}
		}
	}
}
