package ownership

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// CanBeTaken tells whether nothing but the field, and local variables, ever leads to
// what the field holds, and nothing is put back that was taken: as long as nobody replaces it
// between the two halves of x.buf = append(x.buf, v), which is a lost update of the field.
func (l *Owners) CanBeTaken(at isolate.Location) bool {
	known, ok := l.taken[at]
	if !ok {
		known = l.neverPutBack(at) && l.isHeldAlone(at)
		l.taken[at] = known
	}
	return known
}

// isHeldAlone tells whether no other memory than the field holds the address of what
// the field holds.
func (l *Owners) isHeldAlone(at isolate.Location) bool {
	for _, o := range l.Graph.Objects() {
		for _, cell := range l.Graph.Cells(o) {
			for _, held := range l.Graph.Contents(cell).Objects() {
				if l.isContentsOf(held, at) && (!l.Stars.Owns(held) || !l.isFieldOf(cell, at)) {
					return false
				}
			}
		}
	}
	return true
}

// isContentsOf tells whether the object is what the field holds itself.
func (l *Owners) isContentsOf(o *pointsto.Object, at isolate.Location) bool {
	if !l.Stars.IsHeld(o) {
		return false
	}
	for _, r := range l.Stars.Regions(o) {
		if r == at {
			return true
		}
	}
	return false
}

func (l *Owners) isFieldOf(cell pointsto.Cell, at isolate.Location) bool {
	for _, k := range l.Stars.StarsAt(cell) {
		for _, f := range l.Stars.FieldsAt(k, l.Stars.PathOf(k, cell)) {
			if f.Field == at.Field {
				return true
			}
		}
	}
	return false
}

// neverPutBack tells whether every store to the field is of something new, or of what
// the field holds at that moment, as in x.buf = append(x.buf, v).
func (l *Owners) neverPutBack(at isolate.Location) bool {
	for _, n := range l.Graph.Holders(l.Stars.Watched()...) {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				store, ok := instr.(*ssa.Store)
				if !ok || IsEvidentlyNew(store) {
					continue
				}
				for _, cell := range l.Graph.PointsTo(n, store.Addr).Cells() {
					if l.isFieldOf(cell, at) && !holdsAtOnce(store.Val, store) {
						return false
					}
				}
			}
		}
	}
	return true
}

// holdsAtOnce tells whether a stored value is made from what the same field held just
// before: nothing else is stored, and nothing called, between.
func holdsAtOnce(v ssa.Value, store *ssa.Store) bool {
	for {
		switch made := v.(type) {
		case *ssa.Slice:
			v = made.X
			continue
		case *ssa.Call:
			if ssaflow.IsBuiltin(made, "append") {
				v = made.Call.Args[0]
				continue
			}
		}
		break
	}
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Block() != store.Block() || !ssaflow.IsSameField(load.X, store.Addr) {
		return false
	}
	between := false
	for _, instr := range store.Block().Instrs {
		switch instr := instr.(type) {
		case *ssa.UnOp:
			between = between || instr == load
		case *ssa.Store:
			if instr == store {
				return between
			}
			if between && mayBeField(instr.Addr, store.Addr.(*ssa.FieldAddr)) {
				return false
			}
		default:
			if between && ssaflow.MayYield(instr) {
				return false
			}
		}
	}
	return false
}

// mayBeField tells whether the address may be that of the field.
func mayBeField(address ssa.Value, field *ssa.FieldAddr) bool {
	switch v := address.(type) {
	case *ssa.FieldAddr:
		return v.Field == field.Field
	case *ssa.Alloc, *ssa.IndexAddr, *ssa.Global:
		return false
	}
	return true
}

// LeadsNowhere tells whether the value is a slice or map that is nil: there is nothing
// in it to access.
func LeadsNowhere(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil && ssaflow.IsMapOrSlice(v)
}
