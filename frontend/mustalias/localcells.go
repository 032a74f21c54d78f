package mustalias

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// LocalCellsOf returns the variables of a function that live in memory though what they hold can be followed: only the
// function itself, and what it defers, use them, as results of functions with deferred calls, and variables that
// deferred closures look at; or other closures that look at them, too, once they are assigned for the last time.
func LocalCellsOf(f *Function) map[*ssa.Alloc]bool {
	cells := map[*ssa.Alloc]bool{}
	for _, b := range f.Func.Blocks {
		for _, instr := range b.Instrs {
			a, ok := instr.(*ssa.Alloc)
			if !ok || f.OnceCells[a] {
				continue
			}
			t := a.Type().Underlying().(*types.Pointer).Elem()
			ofDeferred := (ssaflow.IsBool(t) || ssaflow.IsPointerLike(t)) && isLocalCell(a, isOnlyDeferred)
			if f.IsSettled(a) || ofDeferred && !ssaflow.IsInCycle(b) {
				cells[a] = true
			}
		}
	}
	return cells
}

// IsSettled tells whether all closures that capture a variable of the function find the same in it, whenever they look.
func (f *Function) IsSettled(a *ssa.Alloc) bool {
	if f.OnceCells[a] {
		return true
	}
	is := ssaflow.IsPointerLike(a.Type().Underlying().(*types.Pointer).Elem()) && !ssaflow.IsInCycle(a.Block())
	return is && isLocalCell(a, func(made *ssa.MakeClosure) bool { return IsSettledAt(a, made) })
}

// IsSettledAt tells whether a variable is not assigned any more once a closure that captures it is made.
func IsSettledAt(a *ssa.Alloc, made *ssa.MakeClosure) bool {
	for _, r := range *a.Referrers() {
		if store, ok := r.(*ssa.Store); ok && ssaflow.MayFollow(store, made) {
			return false
		}
	}
	return true
}

// isLocalCell tells whether the variable is only loaded, stored to, and captured by some closures that load it.
func isLocalCell(a *ssa.Alloc, isOne func(*ssa.MakeClosure) bool) bool {
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != ssa.Value(a) || r.Val == ssa.Value(a) {
				return false
			}
		case *ssa.MakeClosure:
			if !isOne(r) {
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
