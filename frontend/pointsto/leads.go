package pointsto

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// EncodedWithin returns the cells of a region that an encoder gets at which is handed v
// in n, and goes by exported fields, as that of encoding/json does: those that v may
// point to, and what can be reached from there through exported and embedded fields,
// elements and values of maps. A struct or an array counts by its parts. In order of
// objects and offsets.
//
// What memory leads to is searched once for the solution; then a region takes time linear
// in the components of it, and a question in those of them that lead to the region.
func (r *Result) EncodedWithin(n *Node, v ssa.Value, g *Region) []Cell {
	return r.within(n, v, g, &r.encoded, &g.encoded, true)
}

// ReachedWithin is EncodedWithin through all fields.
func (r *Result) ReachedWithin(n *Node, v ssa.Value, g *Region) []Cell {
	return r.within(n, v, g, &r.memory, &g.reached, false)
}

// within answers by a graph and what is known of the region in it.
func (r *Result) within(n *Node, v ssa.Value, g *Region, kept **memoryGraph, known *leads, exported bool) []Cell {
	var found set
	for _, c := range r.componentsWithin(n, v, g, kept, known, exported) {
		if known.to[c] {
			found.union(known.from(c, g))
		}
	}
	return Set{r.s, found}.Cells()
}

// componentsWithin returns the components of what v may point to, and finds out which lead to the region.
func (r *Result) componentsWithin(n *Node, v ssa.Value, g *Region, kept **memoryGraph, known *leads,
	exported bool) []uint32 {
	m, components := r.componentsIn(kept, exported, n, v)
	if known.memory != m {
		*known = leads{memory: m, found: map[uint32]set{}}
	}
	known.extend(g)
	return components
}

// componentsIn returns the components of what v may point to in a graph, which is kept.
func (r *Result) componentsIn(kept **memoryGraph, exported bool, n *Node, v ssa.Value) (*memoryGraph, []uint32) {
	r.poll.Check()
	m := *kept
	if m == nil {
		m = newMemoryGraph(r.s, exported)
	}
	*kept = nil // a search that the poll ends is of no use any more
	components := r.componentsAt(m, n, v)
	*kept = m
	return m, components
}

// componentsAt returns the components of what v may point to, some twice.
func (r *Result) componentsAt(m *memoryGraph, n *Node, v ssa.Value) []uint32 {
	var all []uint32
	from, p := r.s.origin(v)
	first, slots := r.nodesFor(n, from)
	if p != (path{}) && slots > 0 {
		for label := range r.s.followAll(p, r.s.points(first)).all {
			if id := m.cellOf(label); id != 0 {
				all = append(all, m.component(id, r.poll))
			}
		}
		return all
	}
	for i := range slots {
		if id := m.setOf(first + i); id != 0 {
			all = append(all, m.component(id, r.poll))
		}
	}
	return all
}

// leads is what is known of which components of a graph lead to cells of a region.
type leads struct {
	memory *memoryGraph
	to     []bool         // by component: it leads there
	found  map[uint32]set // by component: to which cells; so far as that has been asked
	seen   []uint32       // by component: the last question for cells that met it; as long as to when there is one
	asked  uint32
}

// extend finds it out for the components that are new. What they lead to comes before them.
func (l *leads) extend(g *Region) {
	m := l.memory
	for c := len(l.to); c < len(m.components)-1; c++ {
		leads := slices.ContainsFunc(m.cellsOf(c), func(id uint32) bool { return g.objects[m.s.cells[id].object] }) ||
			slices.ContainsFunc(m.next(c), func(next uint32) bool { return l.to[next] })
		l.to = append(l.to, leads)
	}
}

// from returns the cells of the region that the component leads to.
func (l *leads) from(component uint32, g *Region) set {
	if cells, ok := l.found[component]; ok {
		return cells
	}
	l.asked++
	l.seen = append(l.seen, make([]uint32, len(l.to)-len(l.seen))...)
	var cells set
	work := []uint32{component}
	l.seen[component] = l.asked
	for len(work) > 0 {
		c := int(work[len(work)-1])
		work = work[:len(work)-1]
		for _, id := range l.memory.cellsOf(c) {
			if g.objects[l.memory.s.cells[id].object] {
				cells.add(id)
			}
		}
		for _, next := range l.memory.next(c) {
			if l.to[next] && l.seen[next] != l.asked {
				l.seen[next] = l.asked
				work = append(work, next)
			}
		}
	}
	l.found[component] = cells
	return cells
}
