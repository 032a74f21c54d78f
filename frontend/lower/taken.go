package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Contents can be taken out of a field: buf := x.buf; x.buf = nil. From then on the
// field leads elsewhere, and who took them has them alone, but for those that had
// loaded the field before: they have read it, and the field has been written since, so
// that what they do to the contents now is found without an event of who took them.

// maxTaken bounds the locations of which it is followed whether they were replaced.
const maxTaken = 64

// takenBit is the bit of a location in state.replaced, 0 if it has none.
func (l *lowerer) takenBit(at isolate.Location) uint64 {
	if i := at.Star*len(l.Stars.Subject.Fields) + at.Field; i < maxTaken {
		return 1 << i
	}
	return 0
}

// replace returns the state after a store of something new to a field of a star: what
// was loaded from the field before is no contents of it any more.
func (l *lowerer) replace(c *clone, s state, v *ssa.Store, addr tag) state {
	if addr.kind != object || s.private&modref.ObjectBit(addr.star) != 0 || !isEvidentlyNew(v) || !ssaflow.IsPointerLike(v.Val.Type()) {
		return s
	}
	at := l.Stars.FieldsAt(addr.star, addr.path)
	if len(at) != 1 || addr.path != pointsto.JoinPath(l.Stars.Stars[addr.star].Path, l.Stars.Subject.Fields[at[0].Field]) || !l.canBeTaken(at[0]) {
		return s
	}
	return l.withoutContents(s, l.takenBit(at[0]), v.Val)
}

// withoutContents returns the state in which the locations have been replaced. The
// value, if there is one, is loaded or made after that.
func (l *lowerer) withoutContents(s state, replaced uint64, except ssa.Value) state {
	if replaced == 0 {
		return s
	}
	for v, g := range s.tags {
		if g.kind == contents && v != except && l.takenBit(isolate.Location{Star: g.star, Field: g.field})&replaced != 0 {
			s = s.with(v, tag{kind: foreign})
		}
	}
	s.replaced |= replaced
	return s
}

// canBeTaken tells whether nothing but the field, and local variables, ever leads to
// what the field holds, and nothing is put back that was taken.
func (l *lowerer) canBeTaken(at isolate.Location) bool {
	known, ok := l.relevant.taken[at]
	if !ok {
		known = l.neverPutBack(at) && l.isHeldAlone(at)
		if l.relevant.taken == nil {
			l.relevant.taken = map[isolate.Location]bool{}
		}
		l.relevant.taken[at] = known
	}
	return known
}

// isHeldAlone tells whether no other memory than the field holds the address of what
// the field holds.
func (l *lowerer) isHeldAlone(at isolate.Location) bool {
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
func (l *lowerer) isContentsOf(o *pointsto.Object, at isolate.Location) bool {
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

func (l *lowerer) isFieldOf(cell pointsto.Cell, at isolate.Location) bool {
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
func (l *lowerer) neverPutBack(at isolate.Location) bool {
	for _, n := range l.Graph.Holders(l.Stars.Watched()...) {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				store, ok := instr.(*ssa.Store)
				if !ok || isEvidentlyNew(store) {
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
	if !ok || load.Block() != store.Block() || !isolate.IsSameField(load.X, store.Addr) {
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

// leadsNowhere tells whether the value is a slice or map that is nil: there is nothing
// in it to access.
func leadsNowhere(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil && ssaflow.IsMapOrSlice(v)
}
