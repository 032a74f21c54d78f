package pointsto

import (
	"go/types"
	"math/bits"
	"slices"

	"github.com/empire-go/empire-go/limit"
)

// A memoryGraph is the graph of what memory leads to: from a points-to set to the cells in it, from a
// struct or an array to its parts, from a map to its keys and values, from any other cell to the
// set of what it contains. Equal sets are one vertex. It is searched from where questions begin,
// each vertex once, for its strongly connected components: all vertices of one lead to the same.
type memoryGraph struct {
	s        *solver
	exported bool // only through exported and embedded fields
	sets     uint32
	ownSets  uint32 // the vertices of the sets: those of the base come first
	parts    map[*types.Struct][]int32

	// By vertex: 0 if it was not met; its number in the order of the search while its component is
	// not complete; then complete with the component.
	state      []uint32
	components []component // each ends where the next begins
	cells      []uint32    // of the components: those that are neither structs nor arrays
	edges      []uint32    // between components
}

// complete is the bit that marks a vertex whose component is complete.
const complete = 1 << 31

// component says where its cells, and the edges from it, begin.
type component struct{ cells, edges uint32 }

func newMemoryGraph(s *solver, exported bool) *memoryGraph {
	m := &memoryGraph{s: s, exported: exported, parts: map[*types.Struct][]int32{}, components: make([]component, 1)}
	m.sets = uint32(len(s.cells))
	m.ownSets = m.sets
	if s.refinement != nil {
		m.ownSets += uint32(len(s.base.index.sets))
	}
	m.state = make([]uint32, int(m.ownSets)+len(s.index.sets))
	return m
}

// cellsOf returns the cells of a component.
func (m *memoryGraph) cellsOf(c int) []uint32 {
	return m.cells[m.components[c].cells:m.components[c+1].cells]
}

// next returns the components that edges from one lead to.
func (m *memoryGraph) next(c int) []uint32 {
	return m.edges[m.components[c].edges:m.components[c+1].edges]
}

// setOf returns the vertex of the set of a node, 0 if that is empty.
func (m *memoryGraph) setOf(node uint32) uint32 {
	x, number := m.s.setOf(node)
	switch {
	case number == 0:
		return 0
	case x == m.s.index:
		return m.ownSets + number
	}
	return m.sets + number
}

// labels returns the members of the set of a vertex.
func (m *memoryGraph) labels(v uint32) set {
	switch {
	case v >= m.ownSets:
		return m.s.index.sets[v-m.ownSets]
	case v >= m.sets:
		return m.s.remaining(m.s.base.index.sets[v-m.sets])
	}
	return nil
}

// cellOf returns the vertex of what a label points to, 0 if that is no memory. That of a map,
// which is pointed to as a whole, is its first cell.
func (m *memoryGraph) cellOf(label uint32) uint32 {
	id := m.s.plain(label)
	if id == 0 {
		return 0
	}
	switch o := m.s.objectOf(id); o.kind {
	case function:
		return 0
	case reference:
		return o.base
	}
	return id
}

// addNext appends the vertices that a cell leads to, and reports whether it is itself one to be
// found.
func (m *memoryGraph) addNext(id uint32, to *[]uint32) (leaf bool) {
	o := m.s.objectOf(id)
	off := int32(id - o.base)
	if o.kind == reference && off == 0 {
		for part := int32(1); part < o.layout.size(); part++ {
			*to = append(*to, id+uint32(part))
		}
	}
	if t := o.layout.typeAt(off); t != nil {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			for _, part := range m.partsOf(u) {
				*to = append(*to, id+uint32(part))
			}
			return false
		case *types.Array:
			*to = append(*to, id+1)
			return false
		}
	}
	if content := m.s.cells[id].content; content != 0 {
		if v := m.setOf(content); v != 0 {
			*to = append(*to, v)
		}
	}
	return true
}

// partsOf returns the offsets of the fields that count.
func (m *memoryGraph) partsOf(t *types.Struct) []int32 {
	parts, ok := m.parts[t]
	if !ok {
		for i := range t.NumFields() {
			if f := t.Field(i); !m.exported || f.Exported() || f.Embedded() {
				parts = append(parts, m.s.layouts.field(t, i))
			}
		}
		m.parts[t] = parts
	}
	return parts
}

// component returns that of a vertex. It searches what the vertex leads to, so far as that is
// new.
func (m *memoryGraph) component(v uint32, poll *limit.Poll) uint32 {
	if m.state[v] == 0 {
		(&memorySearch{memoryGraph: m, poll: poll}).from(v)
	}
	return m.state[v] &^ complete
}

// A memorySearch is Tarjan's search for components, without recursion: memory may lead far.
type memorySearch struct {
	*memoryGraph
	poll    *limit.Poll
	visited uint32
	frames  []memoryFrame
	stack   []uint32 // vertices whose components are not complete
	pending []uint32 // of the frames: vertices yet to visit
	leaves  []uint32 // of the stack: the cells among them that are to be found
	crossed []uint32 // from the stack: the complete components that edges lead to
}

// A memoryFrame is a vertex that the search is at. Its vertices on the four stacks begin there.
type memoryFrame struct {
	vertex, low                     uint32
	stack, pending, leaves, crossed int
	labels                          set    // of which those with a bit are yet to visit, and all but the first
	bits                            uint64 // of the first
}

func (s *memorySearch) from(v uint32) {
	s.enter(v)
	for len(s.frames) > 0 {
		f := &s.frames[len(s.frames)-1]
		to, ok := s.step(f)
		switch {
		case !ok:
			s.leave()
		case s.state[to] == 0:
			s.enter(to)
		case s.state[to]&complete == 0:
			f.low = min(f.low, s.state[to])
		default:
			s.cross(f, s.state[to]&^complete)
		}
	}
}

// enter puts a new vertex on the stacks.
func (s *memorySearch) enter(v uint32) {
	s.poll.Check()
	s.visited++
	s.state[v] = s.visited
	f := memoryFrame{vertex: v, low: s.visited, stack: len(s.stack), pending: len(s.pending), leaves: len(s.leaves),
		crossed: len(s.crossed)}
	s.stack = append(s.stack, v)
	switch {
	case v >= s.sets:
		if f.labels = s.labels(v); len(f.labels) > 0 {
			f.bits = f.labels[0].bits
		}
	case s.addNext(v, &s.pending):
		s.leaves = append(s.leaves, v)
	}
	s.frames = append(s.frames, f)
}

// step returns the next vertex that the frame leads to.
func (s *memorySearch) step(f *memoryFrame) (uint32, bool) {
	if last := len(s.pending) - 1; last >= f.pending {
		v := s.pending[last]
		s.pending = s.pending[:last]
		return v, true
	}
	for len(f.labels) > 0 {
		if f.bits == 0 {
			if f.labels = f.labels[1:]; len(f.labels) > 0 {
				f.bits = f.labels[0].bits
			}
			continue
		}
		label := f.labels[0].key<<6 | uint32(bits.TrailingZeros64(f.bits))
		f.bits &= f.bits - 1
		if v := s.cellOf(label); v != 0 {
			return v, true
		}
	}
	return 0, false
}

// cross notes an edge from the component of the frame to a complete one.
func (s *memorySearch) cross(f *memoryFrame, to uint32) {
	if last := len(s.crossed) - 1; last < f.crossed || s.crossed[last] != to {
		s.crossed = append(s.crossed, to)
	}
}

// leave takes the last frame off. With the first vertex of a component that is complete.
func (s *memorySearch) leave() {
	f := s.frames[len(s.frames)-1]
	s.frames = s.frames[:len(s.frames)-1]
	isFirst := f.low == s.state[f.vertex]
	c := uint32(len(s.components) - 1)
	if isFirst {
		for _, v := range s.stack[f.stack:] {
			s.state[v] = complete | c
		}
		s.cells = append(s.cells, s.leaves[f.leaves:]...)
		slices.Sort(s.crossed[f.crossed:])
		s.edges = append(s.edges, slices.Compact(s.crossed[f.crossed:])...)
		s.components = append(s.components, component{uint32(len(s.cells)), uint32(len(s.edges))})
		s.stack, s.leaves, s.crossed = s.stack[:f.stack], s.leaves[:f.leaves], s.crossed[:f.crossed]
	}
	if len(s.frames) == 0 {
		return
	}
	if under := &s.frames[len(s.frames)-1]; isFirst {
		s.cross(under, c)
	} else {
		under.low = min(under.low, f.low)
	}
}
