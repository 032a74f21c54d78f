package pointsto

import "go/types"

// Encoded returns the cells that an encoder gets at which goes by exported fields, as
// that of encoding/json does: those in the set, and what can be reached from there
// through exported and embedded fields, elements and values of maps. A struct or an
// array counts by its parts. In order of objects and offsets; linear in what is reached.
func (r *Result) Encoded(from Set) Set {
	e := &encoding{s: r.s, visited: map[uint32]bool{}}
	e.follow(from.cells)
	for len(e.work) > 0 {
		id := e.work[len(e.work)-1]
		e.work = e.work[:len(e.work)-1]
		if content := r.s.cells[id].content; content != 0 {
			e.follow(r.slots(content, 1).cells)
		}
	}
	return Set{r.s, e.leaves}
}

// encoding is the state of one call of Encoded.
type encoding struct {
	s       *solver
	visited map[uint32]bool
	work    []uint32 // leaves to follow
	leaves  set
}

// follow visits what the cells are the addresses of.
func (e *encoding) follow(cells set) {
	for id := range cells.all {
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
	if e.visited[id] {
		return
	}
	e.visited[id] = true
	o := e.s.objectOf(id)
	t := o.layout.typeAt(int32(id - o.base))
	if t == nil {
		t = types.Typ[types.Invalid]
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if f := u.Field(i); f.Exported() || f.Embedded() {
				e.visit(id + uint32(e.s.layouts.field(u, i)))
			}
		}
	case *types.Array:
		e.visit(id + 1)
	default:
		e.leaves.add(id)
		e.work = append(e.work, id)
	}
}
