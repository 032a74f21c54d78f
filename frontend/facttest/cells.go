package facttest

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
)

// CellPath returns the path of the cell of an abstract object that a place is in the memory of, as
// in pointsto.Cell: "items", "in.v", "list[].next".
func CellPath(p execute.Place) string {
	site, ok := p.Object().Site().(ssa.Value)
	if !ok {
		if g := p.Object().Global(); g != nil {
			site = g
		} else {
			return ""
		}
	}
	var t types.Type
	path := p.Path()
	name := ""
	switch u := site.Type().Underlying().(type) {
	case *types.Pointer:
		t = u.Elem()
	case *types.Slice:
		t = u.Elem()
		name = "[]"
		if _, isAlloc := site.(*ssa.Alloc); !isAlloc && len(path) > 0 {
			path = path[1:]
		}
	case *types.Map, *types.Chan:
		return "[]"
	default:
		return ""
	}
	for _, i := range path {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			name += "." + u.Field(i).Name()
			t = u.Field(i).Type()
		case *types.Array:
			name += "[]"
			t = u.Elem()
		}
	}
	return strings.TrimPrefix(name, ".")
}

// IsSynchronisation tells whether values of the type are objects of package sync or sync/atomic.
func IsSynchronisation(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && strings.HasPrefix(n.Obj().Pkg().Path(), "sync")
}
