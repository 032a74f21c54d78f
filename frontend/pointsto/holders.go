package pointsto

import (
	"iter"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Region is the memory of some objects.
type Region struct {
	labels    []uint64 // bit set: the addresses of their cells
	low, high uint32   // the first and the last word of it that is not zero
	objects   []bool   // by ID

	known            map[*index][]answer // by number of a set: whether it meets the region
	members          map[SetID][]Cell    // see membersWithin
	encoded, reached leads               // what leads to it: see EncodedWithin, ReachedWithin
}

// answer is what is known of a question.
type answer uint8

const (
	unasked answer = iota
	no
	yes
)

// Region returns the memory of the objects.
func (r *Result) Region(objects ...*Object) *Region { return r.s.region(objects) }

func (s *solver) region(objects []*Object) *Region {
	g := &Region{labels: make([]uint64, len(s.cells)/64+1), low: math.MaxUint32, objects: make([]bool, len(s.objects)),
		known: map[*index][]answer{}, members: map[SetID][]Cell{}}
	for _, o := range objects {
		g.objects[o.ID] = true
		for c := range uint32(o.layout.size()) {
			g.add(o.base + c)
		}
	}
	for i, t := range s.tags {
		if t.cell != 0 && g.objects[s.cells[t.cell].object] {
			g.add(s.tagLabels[i])
		}
	}
	return g
}

func (g *Region) add(label uint32) {
	g.low, g.high = min(g.low, label/64), max(g.high, label/64)
	g.labels[label/64] |= 1 << (label % 64)
}

// remove removes the addresses of an object, but those that are tagged.
func (g *Region) remove(o *Object) {
	for c := range uint32(o.layout.size()) {
		label := o.base + c
		g.labels[label/64] &^= 1 << (label % 64)
	}
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

// ask returns the answer to a question about a set of an index, which it remembers.
func ask(known map[*index][]answer, x *index, number uint32, question func() bool) bool {
	answers := known[x]
	if answers == nil {
		answers = make([]answer, len(x.sets))
		known[x] = answers
	}
	if answers[number] == unasked {
		if answers[number] = no; question() {
			answers[number] = yes
		}
	}
	return answers[number] == yes
}

// objectsIn returns the IDs of the objects of the region among labels, some twice.
func (g *Region) objectsIn(s *solver, labels set) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		last := int32(-1)
		for _, w := range labels[labels.seek(0, g.low):] {
			if w.key > g.high {
				return
			}
			for label := range (set{{w.key, w.bits & g.labels[w.key]}}).all {
				object := s.cells[s.plain(label)].object
				if object != last && !yield(object) {
					return
				}
				last = object
			}
		}
	}
}

// MayPointInto reports whether PointsTo(n, v) has a cell of the region, without making
// the set.
func (r *Result) MayPointInto(n *Node, v ssa.Value, g *Region) bool {
	from, p := r.s.origin(v)
	first, slots := r.nodesFor(n, from)
	for i := range slots {
		if r.s.leadsInto(first+i, g) { // a path does not leave the object
			return p == path{} || g.meets(r.s.followAll(p, r.s.points(first)))
		}
	}
	return false
}

// leadsInto reports whether a node has a label of the region.
func (s *solver) leadsInto(node uint32, g *Region) bool {
	x, number := s.setOf(node)
	return ask(g.known, x, number, func() bool { return g.meets(x.sets[number]) })
}

// SetID names a points-to set: that of all values that may point to the same cells and no others.
type SetID struct {
	own    bool // of the refinement, not of the base
	number uint32
}

// BySet returns what is known for the points-to set of v in n, or computes it, from PointsTo(n, v) alone. Where a value
// is a part of another one, or has several, it is computed each time.
func BySet[V any](r *Result, known map[SetID]V, n *Node, v ssa.Value, compute func() V) V {
	from, p := r.s.origin(v)
	first, slots := r.nodesFor(n, from)
	if slots != 1 || p != (path{}) {
		return compute()
	}
	return byNode(r.s, known, first, compute)
}

// byNode is BySet for the set of a node.
func byNode[V any](s *solver, known map[SetID]V, node uint32, compute func() V) V {
	id := s.setID(node)
	v, ok := known[id]
	if !ok {
		v = compute()
		known[id] = v
	}
	return v
}

// setID names the set of a node.
func (s *solver) setID(node uint32) SetID {
	x, number := s.setOf(node)
	return SetID{x == s.index, number}
}

// CellsLeadingInto returns all cells of the program that may hold an address in the region, in order of objects and
// offsets. Linear in the cells, and in the different sets.
func (r *Result) CellsLeadingInto(g *Region) (all []Cell) {
	for _, o := range r.s.objects {
		r.poll.Check()
		for i := range uint32(o.layout.size()) {
			if content := r.s.cells[o.base+i].content; content != 0 && r.s.leadsInto(content, g) {
				all = append(all, Cell{o, o.layout.paths[i]})
			}
		}
	}
	return all
}

// setOf returns the number of the set of a node in its index.
func (s *solver) setOf(node uint32) (*index, uint32) {
	x := s.index
	if s.isFrozen(node) {
		x = s.base.index
	}
	return x, x.of[s.find(node)-x.first]
}

// PointsToWithin returns the cells of PointsTo(n, v) that are in the region.
func (r *Result) PointsToWithin(n *Node, v ssa.Value, g *Region) []Cell {
	if !r.MayPointInto(n, v, g) {
		return nil
	}
	from, p := r.s.origin(v)
	first, slots := r.nodesFor(n, from)
	if slots == 1 && p == (path{}) {
		return r.membersWithin(first, g)
	}
	var labels set
	for i := range slots {
		labels.union(g.of(r.s.points(first + i)))
	}
	if p != (path{}) {
		labels = r.s.followAll(p, labels) // which does not leave the object
	}
	return r.cells(labels).Cells()
}

// membersWithin returns the cells of the region that a node points to, which are found once for equal sets.
func (r *Result) membersWithin(node uint32, g *Region) []Cell {
	return byNode(r.s, g.members, node, func() []Cell {
		return slices.Clip(r.cells(g.of(r.s.points(node))).Cells())
	})
}

// of returns the labels that are addresses of cells of the region.
func (g *Region) of(labels set) set {
	var within set
	for _, w := range labels[labels.seek(0, g.low):] {
		if w.key > g.high {
			break
		}
		if w.bits &= g.labels[w.key]; w.bits != 0 {
			within = append(within, w)
		}
	}
	return within
}

// ElementsWithin returns the cells of the region that the elements of the slice v, and
// their parts, may point to in n, some twice.
func (r *Result) ElementsWithin(n *Node, v ssa.Value, g *Region) []Cell {
	r.poll.Check()
	var cells []Cell
	for _, content := range r.contentsOfElements(n, v) {
		if r.s.leadsInto(content, g) {
			cells = append(cells, r.membersWithin(content, g)...)
		}
	}
	return cells
}

// contentsOfElements returns representatives of what the elements of the slice v, and their parts, hold in n: of equal
// sets there is one. For a set of slices it is found once.
func (r *Result) contentsOfElements(n *Node, v ssa.Value) []uint32 {
	return BySet(r, r.elements, n, v, func() (contents []uint32) {
		seen := map[SetID]bool{}
		for part := range r.s.elementsOf(r.PointsTo(n, v).cells) {
			content := r.s.cells[part].content
			if content != 0 && !seen[r.s.setID(content)] {
				seen[r.s.setID(content)] = true
				contents = append(contents, content)
			}
		}
		return contents
	})
}

// elementsOf yields the parts of the elements of the arrays.
func (s *solver) elementsOf(arrays set) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for array := range arrays.all {
			o := s.objectOf(array)
			if !o.layout.array(int32(array - o.base)) {
				continue
			}
			_, end := s.extent(array)
			for part := array + 1; part < o.base+uint32(end); part++ {
				if !yield(part) {
					return
				}
			}
		}
	}
}

// Holders returns the call-graph nodes with a value that may point into one of the
// objects, in order of IDs: all that can access them, but for what library functions
// do through reflection. Linear in the sets that do, and in the nodes; where sets are very large,
// in the different points-to sets of the program.
func (r *Result) Holders(objects ...*Object) []*Node {
	r.poll.Check()
	holds := make([]bool, len(r.s.order))
	if !r.addKnownHolders(holds, objects) {
		g := r.Region(objects...)
		r.s.addHolders(holds, g)
		if r.s.refinement != nil {
			r.s.base.addHolders(holds, g)
		}
	}
	var nodes []*Node
	for _, n := range r.nodes {
		if holds[n.solvedAs().ID] {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// addHolders adds the nodes of a solution with a value that may point into the region.
func (s *solver) addHolders(holds []bool, g *Region) {
	for number, labels := range s.index.sets {
		if g.meets(labels) {
			for _, owner := range s.index.ownersOf(uint32(number)) {
				holds[owner] = true
			}
		}
	}
	for _, shared := range s.shares { // of the nodes of the base
		holds[shared.owner] = holds[shared.owner] || s.leadsInto(shared.node, g)
	}
}

// addKnownHolders is addHolders where it is listed which sets point into an object.
func (r *Result) addKnownHolders(holds []bool, objects []*Object) bool {
	s := r.s
	solvers := []*solver{s}
	if s.refinement != nil {
		solvers = append(solvers, s.base)
		if r.sharing == nil {
			r.sharing = map[uint32][]int32{}
			for _, shared := range s.shares {
				_, number := s.setOf(shared.node)
				r.sharing[number] = append(r.sharing[number], shared.owner)
			}
		}
	}
	for _, o := range objects {
		for _, of := range solvers {
			numbers, known := of.index.setsWith(of, o)
			if !known {
				return false
			}
			for _, number := range numbers {
				for _, owner := range of.index.ownersOf(number) {
					holds[owner] = true
				}
				if of != s {
					for _, owner := range r.sharing[number] {
						holds[owner] = true
					}
				}
			}
		}
	}
	return true
}
