package modref

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// LocationsAt returns the locations that an access through a pointer to the cell may
// touch, parts that guard themselves as such.
func (l *Facts) LocationsAt(cell pointsto.Cell) []isolate.Location {
	all := slices.Clone(l.Stars.LocationsAt(cell))
	for i := range all {
		all[i].Apart = l.Stars.IsApartAt(cell)
	}
	return all
}

// PartsOf returns what an access through a pointer to contents of a field may touch:
// the part that guards itself, the rest, or either.
func (l *Facts) PartsOf(n *pointsto.Node, pointer ssa.Value, field isolate.Location) []isolate.Location {
	var near, apart, leftApart bool
	for _, o := range l.Graph.PointsTo(n, pointer).Objects() {
		if slices.Contains(l.Stars.Regions(o), field) {
			if l.Stars.IsApart(o) {
				apart, leftApart = true, l.Stars.IsLeftApart(o)
			} else {
				near = true
			}
		}
	}
	part := field
	part.Apart = true
	switch {
	case !apart || near && leftApart:
		return []isolate.Location{field}
	case leftApart:
		return nil
	case !near:
		return []isolate.Location{part}
	}
	return []isolate.Location{field, part}
}

// MayBeApart tells whether the pointer may be to memory that guards itself.
func (l *Facts) MayBeApart(n *pointsto.Node, pointer ssa.Value) bool {
	return slices.ContainsFunc(l.Graph.PointsTo(n, pointer).Objects(), func(o *pointsto.Object) bool {
		return len(l.Stars.Regions(o)) > 0 && l.Stars.IsApart(o)
	})
}
