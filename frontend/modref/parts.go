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
	is := l.sidesOf(n, pointer)[field]
	leftApart := is.apart && l.Stars.LeavesApart()
	part := field
	part.Apart = true
	switch {
	case !is.apart || is.near && leftApart:
		return []isolate.Location{field}
	case leftApart:
		return nil
	case !is.near:
		return []isolate.Location{part}
	}
	return []isolate.Location{field, part}
}

// sides says of contents that a pointer may be to whether they may guard themselves, and whether they may not.
type sides struct{ apart, near bool }

// sidesOf returns that for each field which leads to such contents. It is found once for each points-to set.
func (l *Facts) sidesOf(n *pointsto.Node, pointer ssa.Value) map[isolate.Location]sides {
	return pointsto.BySet(l.Graph, l.sides, n, pointer, func() map[isolate.Location]sides {
		all := map[isolate.Location]sides{}
		for _, o := range l.Graph.PointsTo(n, pointer).Objects() {
			for _, field := range l.Stars.Regions(o) {
				is := all[field]
				if l.Stars.IsApart(o) {
					is.apart = true
				} else {
					is.near = true
				}
				all[field] = is
			}
		}
		return all
	})
}

// MayBeApart tells whether the pointer may be to memory that guards itself.
func (l *Facts) MayBeApart(n *pointsto.Node, pointer ssa.Value) bool {
	return slices.ContainsFunc(l.Graph.PointsTo(n, pointer).Objects(), func(o *pointsto.Object) bool {
		return len(l.Stars.Regions(o)) > 0 && l.Stars.IsApart(o)
	})
}
