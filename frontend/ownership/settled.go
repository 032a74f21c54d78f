package ownership

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// A field that leads to memory is settled if nobody writes the field itself once
// others can reach the object: a map that is made with it, a pointer to a part. To
// read a settled field gives the same value at any time; what counts is what is done
// to the memory.

// SettledRead returns what a read of a settled field counts as. Of a pointer, of a whole struct, and of
// a slice or map whose elements do not change either, it is nothing (counts is false).
// Else it begins an access to elements, as in x.f[i] = y, or looks how many there are:
// it is a read of them, but in no data race with indivisible writes of elements.
func (l *Owners) SettledRead(n *pointsto.Node, pointer ssa.Value, kind esl.AccessKind, at ssa.Instruction) (
	as esl.AccessKind, counts bool) {
	load, ok := at.(*ssa.UnOp)
	if !ok || load.X != pointer || !l.isSettled(n, load) {
		return kind, true
	}
	switch load.Type().Underlying().(type) {
	case *types.Slice, *types.Map:
		if l.hasSettledElements(n, load) {
			return kind, false
		}
		if !readsElements(load) {
			return esl.AtomicRead, true
		}
		return kind, true
	}
	return kind, false
}

// isSettled tells whether the load is of a settled field of a star, or copies one of which all
// fields are settled, and of nothing else that counts.
func (l *Owners) isSettled(n *pointsto.Node, load *ssa.UnOp) bool {
	if _, isCopy := load.Type().Underlying().(*types.Struct); load.Op != token.MUL ||
		!isCopy && !ssaflow.IsPointerLike(load.Type()) {
		return false
	}
	return !slices.ContainsFunc(l.Graph.PointsTo(n, load.X).Cells(), func(cell pointsto.Cell) bool {
		return len(l.Stars.LocationsAt(cell)) > 0 && (len(l.Stars.StarsAt(cell)) == 0 || l.Unpublished.IsCellWritten(cell))
	})
}

// hasSettledElements tells whether nobody writes the elements of the slice or map.
func (l *Owners) hasSettledElements(n *pointsto.Node, load *ssa.UnOp) bool {
	return !slices.ContainsFunc(l.Graph.PointsTo(n, load).Objects(), func(o *pointsto.Object) bool {
		return len(l.Stars.Regions(o)) > 0 && l.Unpublished.IsWritten(o)
	})
}

// readsElements tells whether elements are read at once, as in x.f[i]: that is one
// event together with the read of the field.
func readsElements(load *ssa.UnOp) bool {
	work := []ssa.Value{load}
	for len(work) > 0 {
		v := work[0]
		work = work[1:]
		for _, user := range *v.Referrers() {
			switch u := user.(type) {
			case *ssa.IndexAddr:
				if u.X == v {
					work = append(work, u)
				}
			case *ssa.Slice:
				work = append(work, u)
			case *ssa.UnOp, *ssa.Lookup, *ssa.Range, *ssa.Call:
				if call, isCall := u.(*ssa.Call); isCall && (ssaflow.IsSliceLength(call) || modref.IsIndivisible(call)) {
					continue
				}
				if user.Block() == load.Block() && ssaflow.FollowsAtOnce(load, user) {
					return true
				}
			}
		}
	}
	return false
}
