package modref

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// ObjectBit is the member of such a set for star k itself.
func ObjectBit(k int) uint { return 1 << (2 * k) }

// ContentsBit is the member for what star k's fields lead to.
func ContentsBit(k int) uint { return 2 << (2 * k) }

// RegionsOf returns the locations whose contents a pointer may be, without
// repetition.
func (l *Facts) RegionsOf(n *pointsto.Node, pointer ssa.Value) []isolate.Location {
	if !ssaflow.IsPointerLike(pointer.Type()) {
		return nil
	}
	return pointsto.BySet(l.Graph, l.regionsOf, n, pointer, func() []isolate.Location {
		return slices.Clip(l.Collect(n, pointer, l.Stars.RegionsAt))
	})
}

// Collect returns the locations that at finds for the cells which the pointer may point to, each once.
func (l *Facts) Collect(n *pointsto.Node, pointer ssa.Value,
	at func(pointsto.Cell) []isolate.Location) []isolate.Location {
	if !ssaflow.IsPointerLike(pointer.Type()) {
		return nil
	}
	var all []isolate.Location
	seen := map[isolate.Location]bool{}
	for _, cell := range l.Graph.PointsTo(n, pointer).Cells() {
		for _, loc := range at(cell) {
			if !seen[loc] {
				seen[loc] = true
				all = append(all, loc)
			}
		}
	}
	return all
}

// IsFromOthers tells whether the value may be loaded from memory that is neither that of
// objects as the stars nor what they lead to, and where what they hold may be kept, too.
func (l *Facts) IsFromOthers(n *pointsto.Node, v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	return ok && slices.ContainsFunc(l.Graph.PointsTo(n, load.X).Cells(), func(c pointsto.Cell) bool {
		return len(l.Stars.StarsAt(c)) == 0 && len(l.Stars.Regions(c.Object)) == 0 && !l.Stars.HoldsItsOwn(c)
	})
}

// IsOthersOwn tells whether the value is loaded from memory that is neither that of objects as the stars nor what they
// lead to, and whatever is held there was made for it, as what the stars hold was for them: then it leads to nothing
// of theirs, though the memory be made in the same place, by a helper of both.
func (l *Facts) IsOthersOwn(n *pointsto.Node, v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || !l.LeadsOnlyToOwned(n, v) {
		return false
	}
	cells := l.Graph.PointsTo(n, load.X).Cells()
	return len(cells) > 0 && !slices.ContainsFunc(cells, func(c pointsto.Cell) bool {
		return !l.Stars.HoldsItsOwn(c)
	})
}

// LeadsTo tells whether v may point to memory that the location leads to.
func (l *Facts) LeadsTo(n *pointsto.Node, v ssa.Value, at isolate.Location) bool {
	if !ssaflow.IsPointerLike(v.Type()) {
		return false
	}
	for _, cell := range l.Graph.PointsTo(n, v).Cells() {
		for _, r := range l.Stars.RegionsAt(cell) {
			if r == at {
				return true
			}
		}
	}
	return false
}

// LeadsOnlyToOwned tells whether v may point to contents of stars, and only to
// those that no two objects share.
func (l *Facts) LeadsOnlyToOwned(n *pointsto.Node, v ssa.Value) bool {
	regions := l.RegionsOf(n, v)
	if len(regions) == 0 {
		return false
	}
	for _, o := range l.Graph.PointsTo(n, v).Objects() {
		if len(l.Stars.Regions(o)) > 0 && !l.Stars.OwnsTree(o) {
			return false
		}
	}
	return true
}
