package races

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// isInSet tells whether a path is that of a field of the set, or of a part of one.
func (w *walker) isInSet(path string) bool {
	return slices.ContainsFunc(w.fields, func(f string) bool {
		return path == f || strings.HasPrefix(path, f+".")
	})
}

// accessesOf returns which fields of the set an instruction accesses.
func (w *walker) accessesOf(instr ssa.Instruction, known map[ssa.Value]place) (all []Access) {
	field := func(v ssa.Value, contents, isWrite bool) {
		p, ok := placeOf(known, v)
		if ok && p.isValue == contents && isOfObject(p) && w.isInSet(p.path[min(1, len(p.path)):]) {
			all = append(all, Access{Field: p.path[1:], Contents: contents, IsWrite: isWrite})
		}
	}
	switch x := instr.(type) {
	case *ssa.UnOp:
		if x.Op == token.MUL {
			field(x.X, false, false)
		}
	case *ssa.Store:
		field(x.Addr, false, true)
	case *ssa.Lookup:
		if isMap(x.X) {
			field(x.X, true, false)
		}
	case *ssa.Range:
		if isMap(x.X) {
			field(x.X, true, false)
		}
	case *ssa.MapUpdate:
		field(x.Map, true, true)
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		if ok && len(x.Call.Args) > 0 && isMap(x.Call.Args[0]) {
			field(x.Call.Args[0], true, b.Name() == "delete" || b.Name() == "clear")
		}
	}
	return all
}
