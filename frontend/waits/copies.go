package waits

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// copies notes what a node copies, or assigns as a whole, that has a lock in it: the copy is in the state that the lock
// was in.
func (s *settler) copies(n *pointsto.Node) {
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			var at ssa.Value
			switch x := instr.(type) {
			case *ssa.UnOp:
				if x.Op == token.MUL && holdsLock(x.Type()) {
					at = x.X
				}
			case *ssa.Store:
				if holdsLock(x.Val.Type()) && !s.fresh[x] {
					at = x.Addr
				}
			case *ssa.Call:
				if t := elementsWritten(x); t != nil && holdsLock(t) {
					at = x.Call.Args[0]
				}
			}
			if at != nil {
				for _, c := range s.graph.PointsTo(n, at).Cells() {
					s.copied[lockName(c)] = s.name(n.Func)
				}
			}
		}
	}
}

// elementsWritten returns the type of the elements of a slice that a call of a built-in function copies, or writes as a
// whole; nil if it is another call.
func elementsWritten(x *ssa.Call) types.Type {
	b, ok := x.Call.Value.(*ssa.Builtin)
	if !ok {
		return nil
	}
	switch b.Name() {
	case "append", "copy", "clear":
		if slice, ok := x.Call.Args[0].Type().Underlying().(*types.Slice); ok {
			return slice.Elem()
		}
	}
	return nil
}

// copyOf returns what is copied with a lock in it, and by which function.
func (s *settler) copyOf(lock string) (what, function string) {
	for _, what := range slices.Sorted(maps.Keys(s.copied)) {
		if lock == what || strings.HasPrefix(lock, what+".") {
			return what, s.copied[what]
		}
	}
	return "", ""
}

// holdsLock tells whether values of a type have a lock in them.
func holdsLock(t types.Type) bool {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" {
		switch named.Obj().Name() {
		case "Mutex", "RWMutex", "Once":
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if holdsLock(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return holdsLock(u.Elem())
	}
	return false
}
