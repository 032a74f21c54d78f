package instrument

import (
	"cmp"
	"go/types"
	"slices"
	"strings"
)

// asDeclared returns a class with its fields in the order in which a struct declares them: that is
// how those who print or encode it go through them.
func asDeclared(c *class, s *types.Struct) *class {
	if s == nil {
		return c
	}
	ordered := *c
	ordered.fields = slices.Clone(c.fields)
	slices.SortStableFunc(ordered.fields, func(a, b field) int {
		return cmp.Compare(declaredAt(s, a.name), declaredAt(s, b.name))
	})
	return &ordered
}

// declaredAt returns the index of the field that a dotted name begins with.
func declaredAt(s *types.Struct, name string) int {
	first, _, _ := strings.Cut(name, ".")
	for i := range s.NumFields() {
		if s.Field(i).Name() == first {
			return i
		}
	}
	return s.NumFields()
}
