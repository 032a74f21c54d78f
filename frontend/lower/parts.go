package lower

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// PartSuffix ends the names of the locations in the model that are the part of what a
// field leads to which guards itself.
const PartSuffix = ".*"

// locationIndex returns the index of the location in the model: those of the fields
// come first, star by star.
func (l *lowerer) locationIndex(at isolate.Location) int {
	fields := len(l.Stars.Subject.Fields)
	if !at.Apart && at.Key == 0 {
		return at.Star*fields + at.Field
	}
	i := slices.Index(l.parts, at)
	if i < 0 {
		i = len(l.parts)
		l.parts = append(l.parts, at)
	}
	return len(l.Stars.Stars)*fields + i
}

// partName returns the name of such a location.
func (l *lowerer) partName(at isolate.Location) string {
	name := l.Stars.Subject.Fields[at.Field]
	if at.Key != 0 {
		return name + "[" + l.keys.Name(at.Key) + "]"
	}
	return name + PartSuffix
}

// locationsAt returns the locations that an access through a pointer to the cell may
// touch, parts that guard themselves as such.
func (l *lowerer) locationsAt(cell pointsto.Cell) []isolate.Location {
	all := slices.Clone(l.Stars.LocationsAt(cell))
	for i := range all {
		all[i].Apart = len(l.Stars.StarsAt(cell)) == 0 && l.Stars.IsApart(cell.Object)
	}
	return all
}

// partsOf returns what an access through a pointer to contents of a field may touch:
// the part that guards itself, the rest, or either.
func (l *lowerer) partsOf(c *clone, pointer ssa.Value, field isolate.Location) []isolate.Location {
	var near, apart bool
	for _, o := range l.Graph.PointsTo(c.node, pointer).Objects() {
		if slices.Contains(l.Stars.Regions(o), field) {
			if l.Stars.IsApart(o) {
				apart = true
			} else {
				near = true
			}
		}
	}
	part := field
	part.Apart = true
	switch {
	case !apart:
		return []isolate.Location{field}
	case !near:
		return []isolate.Location{part}
	}
	return []isolate.Location{field, part}
}

// mayBeApart tells whether the pointer may be to memory that guards itself.
func (l *lowerer) mayBeApart(c *clone, pointer ssa.Value) bool {
	return slices.ContainsFunc(l.Graph.PointsTo(c.node, pointer).Objects(), func(o *pointsto.Object) bool {
		return len(l.Stars.Regions(o)) > 0 && l.Stars.IsApart(o)
	})
}
