package pointsto

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Type returns the type of what is stored in the cell, nil if it has none.
func (c Cell) Type() types.Type {
	off, ok := c.Object.layout.offset(c.Path)
	if !ok {
		return nil
	}
	return c.Object.layout.types[off]
}

// Under returns the cells of the object at the path and below it.
func (r *Result) Under(o *Object, path string) []Cell {
	var cells []Cell
	for _, c := range r.Cells(o) {
		if IsWithin(c.Path, path) {
			cells = append(cells, c)
		}
	}
	return cells
}

// IsWithin reports whether inner is the path outer or lies below it.
func IsWithin(inner, outer string) bool {
	rest, ok := strings.CutPrefix(inner, outer)
	return ok && (outer == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}

// Overlaps reports whether what is at one of the paths is a part of what is at the other one.
func Overlaps(path, other string) bool { return IsWithin(path, other) || IsWithin(other, path) }

// OverlapsAny reports whether a path overlaps one of some.
func OverlapsAny(paths []string, other string) bool {
	return slices.ContainsFunc(paths, func(path string) bool { return Overlaps(path, other) })
}

// JoinPath returns the path of part inside path.
func JoinPath(path, part string) string {
	if path == "" || part == "" || part[0] == '[' {
		return path + part
	}
	return path + "." + part
}

// ObjectAt returns the object that the allocation makes in n, nil if n does not
// reach it.
func (r *Result) ObjectAt(n *Node, site ssa.Value) *Object {
	for _, o := range r.PointsTo(n, site).Objects() {
		if o.Site == site {
			return o
		}
	}
	return nil
}
