package lower

import (
	"slices"

	"github.com/empire-go/empire-go/frontend/isolate"
)

// PartSuffix ends the names of the locations in the model that are the part of what a
// field leads to which guards itself.
const PartSuffix = ".*"

// HeldSuffix ends the names of those that are what a field leads to, as it is told apart from the field where it is
// asked about data races.
const HeldSuffix = "[...]"

// locationIndex returns the index of the location in the model: those of the fields
// come first, star by star.
func (l *lowerer) locationIndex(at isolate.Location) int {
	fields := len(l.Stars.Subject.Fields)
	if !at.Apart && at.Key == 0 && !at.Held {
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
	if at.Held {
		name += HeldSuffix
	}
	if at.Key != 0 {
		return name + "[" + l.keys.Name(at.Key) + "]"
	}
	if at.Apart {
		name += PartSuffix
	}
	return name
}
