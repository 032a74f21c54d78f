package tag

import (
	"slices"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// FrozenField is a boolean field of a star that is frozen (isolate.Frozen): it has one value as
// long as others can reach the star.
type FrozenField struct {
	Star int
	Path string
}

// frozenFields returns what is known of the fields of stars.
func (l *Holders) frozenFields() *isolate.Frozen {
	if l.frozen == nil {
		l.frozen = isolate.FindFrozen(l.ctx, l.Graph, l.Stars.Watched()...)
	}
	return l.frozen
}

// IsFrozen tells whether the field is frozen in all objects that may be the star.
func (l *Holders) IsFrozen(field FrozenField) bool {
	for o := range l.Stars.Stars[field.Star].Objects {
		if !l.frozenFields().Is(pointsto.Cell{Object: o, Path: field.Path}) {
			return false
		}
	}
	return true
}

// FrozenValue returns the value of a field of a star, if it is frozen and the same for all
// objects that may be the star.
func (l *Holders) FrozenValue(field FrozenField) (value, known, is bool) {
	var objects []*pointsto.Object
	for o := range l.Stars.Stars[field.Star].Objects {
		objects = append(objects, o)
	}
	slices.SortFunc(objects, func(a, b *pointsto.Object) int { return a.ID - b.ID })
	known = true
	for i, o := range objects {
		cell := pointsto.Cell{Object: o, Path: field.Path}
		if !l.frozenFields().Is(cell) {
			return false, false, false
		}
		v, ok := l.frozenFields().Bool(cell)
		known = known && ok && (i == 0 || v == value)
		value = v
	}
	return value, known, true
}

// Valuations returns the values that some such fields can have together.
func Valuations(fields []FrozenField) []map[FrozenField]bool {
	all := []map[FrozenField]bool{{}}
	for _, field := range fields {
		var next []map[FrozenField]bool
		for _, known := range all {
			for _, value := range []bool{false, true} {
				with := map[FrozenField]bool{field: value}
				for f, v := range known {
					with[f] = v
				}
				next = append(next, with)
			}
		}
		all = next
	}
	return all
}
