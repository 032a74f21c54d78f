package mustalias

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// LocalCellsOf returns the variables of a function that live in memory though only the function
// itself, and what it defers, use them: results of functions with deferred calls,
// and variables that deferred closures look at. What they hold is followed.
func LocalCellsOf(f *Function) map[*ssa.Alloc]bool {
	cells := map[*ssa.Alloc]bool{}
	for _, b := range f.Func.Blocks {
		for _, instr := range b.Instrs {
			a, ok := instr.(*ssa.Alloc)
			if !ok || f.OnceCells[a] {
				continue
			}
			t := a.Type().Underlying().(*types.Pointer).Elem()
			if (ssaflow.IsBool(t) || ssaflow.IsPointerLike(t)) && isLocalCell(a) && !ssaflow.IsInCycle(b) {
				cells[a] = true
			}
		}
	}
	return cells
}

// isLocalCell tells whether the variable is only loaded, stored to, and captured by
// deferred closures that load it.
func isLocalCell(a *ssa.Alloc) bool {
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != ssa.Value(a) || r.Val == ssa.Value(a) {
				return false
			}
		case *ssa.MakeClosure:
			if !isOnlyDeferred(r) {
				return false
			}
			stores := 0
			for i, b := range r.Bindings {
				if b == ssa.Value(a) && !ssaflow.OnlyLoaded(r.Fn.(*ssa.Function).FreeVars[i], &stores) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// isOnlyDeferred tells whether the closure is used by defer statements only, which
// call it.
func isOnlyDeferred(made *ssa.MakeClosure) bool {
	for _, r := range *made.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Defer:
			if r.Call.Value != ssa.Value(made) {
				return false
			}
			for _, a := range r.Call.Args {
				if a == ssa.Value(made) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
