package pointsto

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// EncodedWithin returns the cells of a region that an encoder gets at which is handed v
// in n, and goes by exported fields, as that of encoding/json does: those that v may
// point to, and what can be reached from there through exported and embedded fields,
// elements and values of maps. A struct or an array counts by its parts. In order of
// objects and offsets. Linear in what is reached; what was found to lead to nothing in
// the region is not looked at again.
func (r *Result) EncodedWithin(n *Node, v ssa.Value, g *Region) []Cell {
	return r.within(n, v, &encoding{s: r.s, region: g, marked: &g.encoded, exported: true})
}

// ReachedWithin is EncodedWithin through all fields.
func (r *Result) ReachedWithin(n *Node, v ssa.Value, g *Region) []Cell {
	return r.within(n, v, &encoding{s: r.s, region: g, marked: &g.reached})
}

// within makes a search.
func (r *Result) within(n *Node, v ssa.Value, e *encoding) []Cell {
	r.poll.Check()
	if m := e.marked; m.cells == nil {
		m.cells, m.contents = make([]uint64, len(r.s.cells)/64+1), make([]uint64, len(r.s.parent)/64+1)
	}
	from, p := r.s.origin(v)
	first, slots := r.nodesFor(n, from)
	for i := range slots {
		if p == (path{}) {
			e.follow(first + i)
		} else {
			e.visitAll(r.s.followAll(p, r.s.points(first)))
		}
	}
	for len(e.work) > 0 {
		id := e.work[len(e.work)-1]
		e.work = e.work[:len(e.work)-1]
		if content := r.s.cells[id].content; content != 0 {
			e.follow(content)
		}
	}
	if e.found.len() > 0 {
		e.forget()
	}
	return Set{r.s, e.found}.Cells()
}

// encoding is one search of EncodedWithin. What it meets is marked as leading to
// nothing; the marks go if it finds something.
type encoding struct {
	s        *solver
	region   *Region
	marked   *marked
	exported bool     // goes by exported fields
	cells    []uint32 // met
	contents []uint32 // representatives, met
	work     []uint32 // cells to follow
	found    set
}

// marked is the cells and the contents that searches have met.
type marked struct{ cells, contents []uint64 }

// mark sets a bit and reports whether it was not set.
func mark(marks []uint64, i uint32) bool {
	bit := uint64(1) << (i & 63)
	if marks[i>>6]&bit != 0 {
		return false
	}
	marks[i>>6] |= bit
	return true
}

// forget removes the marks of the search.
func (e *encoding) forget() {
	for _, id := range e.cells {
		e.marked.cells[id>>6] &^= 1 << (id & 63)
	}
	for _, id := range e.contents {
		e.marked.contents[id>>6] &^= 1 << (id & 63)
	}
}

// follow visits what a node may point to.
func (e *encoding) follow(node uint32) {
	representative := e.s.find(node)
	if !mark(e.marked.contents, representative) {
		return
	}
	e.contents = append(e.contents, representative)
	e.visitAll(e.s.points(node))
}

// visitAll visits what the labels point to.
func (e *encoding) visitAll(labels set) {
	for label := range labels.all {
		id := e.s.plain(label)
		if id == 0 {
			continue
		}
		o := e.s.objectOf(id)
		switch o.kind {
		case function:
		case reference: // a map, its keys and values
			for part := range uint32(o.layout.size()) {
				e.visit(o.base + part)
			}
		default:
			e.visit(id)
		}
	}
}

// visit notes the cell, or the parts of it that are encoded.
func (e *encoding) visit(id uint32) {
	if !mark(e.marked.cells, id) {
		return
	}
	e.cells = append(e.cells, id)
	o := e.s.objectOf(id)
	t := o.layout.typeAt(int32(id - o.base))
	if t == nil {
		t = types.Typ[types.Invalid]
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if f := u.Field(i); !e.exported || f.Exported() || f.Embedded() {
				e.visit(id + uint32(e.s.layouts.field(u, i)))
			}
		}
	case *types.Array:
		e.visit(id + 1)
	default:
		if e.region.objects[o.ID] {
			e.found.add(id)
		}
		e.work = append(e.work, id)
	}
}
