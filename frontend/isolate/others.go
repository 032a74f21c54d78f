package isolate

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// checkOthers notes the fields whose contents may be handed to another object of the
// checked type that is no star, as in
//
//	b.entries = a.entries
//
// where only a is one: then the two share them.
func (i *Isolation) checkOthers() {
	cells, objects := i.cellsOfOthers()
	for _, n := range i.graph.Holders(objects...) {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				if store, ok := instr.(*ssa.Store); ok {
					i.checkOther(n, store, cells)
				}
			}
		}
	}
}

func (i *Isolation) checkOther(n *pointsto.Node, store *ssa.Store, cells map[pointsto.Cell]map[int]bool) {
	for _, c := range i.graph.PointsTo(n, store.Addr).Cells() {
		for _, part := range i.graph.Under(c.Object, c.Path) {
			for f := range cells[part] {
				if i.owned[f] && !i.isMadeFor(n, store.Val, store) {
					i.owned[f] = false
				}
			}
		}
	}
}

// cellsOfOthers returns the fields of objects of the checked type that are no stars, as far
// as they may hold what fields of stars hold: by cell, those fields.
func (i *Isolation) cellsOfOthers() (cells map[pointsto.Cell]map[int]bool, objects []*pointsto.Object) {
	cells = map[pointsto.Cell]map[int]bool{}
	within := map[types.Type][]string{}
	for _, o := range i.graph.Objects() {
		if i.Subject.Type == nil || o.Type == nil {
			continue
		}
		paths, ok := within[o.Type]
		if !ok {
			paths = i.Subject.Within(o.Type)
			within[o.Type] = paths
		}
		found := false
		for _, path := range paths {
			if i.isStar(o, path) {
				continue
			}
			for _, name := range i.Subject.Fields {
				for _, c := range i.graph.Under(o, pointsto.JoinPath(path, name)) {
					if fields := i.heldBy(c); len(fields) > 0 {
						cells[c], found = fields, true
					}
				}
			}
		}
		if found {
			objects = append(objects, o)
		}
	}
	return cells, objects
}

// isStar tells whether the object has a star at the path.
func (i *Isolation) isStar(o *pointsto.Object, path string) bool {
	for _, star := range i.Stars {
		if star.Objects[o] && star.Path == path {
			return true
		}
	}
	return false
}

// heldBy returns the fields of stars that may hold what the cell may hold.
func (i *Isolation) heldBy(c pointsto.Cell) map[int]bool {
	fields := map[int]bool{}
	for _, held := range i.graph.Contents(c).Objects() {
		for f := range i.first[held] {
			fields[f] = true
		}
	}
	return fields
}
