package mustalias

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// BaseKey returns what two pointers have in common that are the same at run time: the
// value itself, or what a variable that is assigned once holds.
func BaseKey(v ssa.Value) ssa.Value {
	for range maxExpression {
		load, ok := v.(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			return v
		}
		cell := load.X
		if captured, isCaptured := cell.(*ssa.FreeVar); isCaptured {
			cell = boundTo(captured)
		}
		variable, ok := cell.(*ssa.Alloc)
		if !ok {
			return v
		}
		held := heldForEver(variable)
		if held == nil {
			return v
		}
		v = held
	}
	return v
}

// heldForEver returns the value of a variable that is stored to once, and captured by
// closures that only load it; else nil.
func heldForEver(variable *ssa.Alloc) ssa.Value {
	var held ssa.Value
	for _, r := range *variable.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if held != nil || r.Addr != ssa.Value(variable) || ssaflow.RepeatsWithout(r.Block(), variable.Block()) {
				return nil
			}
			held = r.Val
		case *ssa.MakeClosure:
			stores := 0
			for i, b := range r.Bindings {
				if b == ssa.Value(variable) && (!ssaflow.OnlyLoaded(r.Fn.(*ssa.Function).FreeVars[i], &stores) || stores > 0) {
					return nil
				}
			}
		default:
			return nil
		}
	}
	return held
}

// boundTo returns what a captured variable is in the function around its closure;
// nil if the closure is made in several places.
func boundTo(v *ssa.FreeVar) ssa.Value {
	fn := v.Parent()
	if fn.Parent() == nil {
		return nil
	}
	var bound ssa.Value
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			made, ok := instr.(*ssa.MakeClosure)
			if !ok || made.Fn != ssa.Value(fn) {
				continue
			}
			if bound != nil {
				return nil
			}
			bound = made.Bindings[slices.Index(fn.FreeVars, v)]
		}
	}
	return bound
}
