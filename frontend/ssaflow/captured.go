package ssaflow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// IsSamePointer tells whether two pointers evidently are one: they are one value, or both are
// loaded from a variable that function literals have captured, and that is assigned once.
func IsSamePointer(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	x, ok := a.(*ssa.UnOp)
	if !ok || x.Op != token.MUL {
		return false
	}
	y, ok := b.(*ssa.UnOp)
	return ok && y.Op == token.MUL && x.X == y.X && IsAssignedOnce(x.X)
}

// IsAssignedOnce tells whether the address is that of a variable that gets its only value next
// to its declaration, before any function literal captures it.
func IsAssignedOnce(address ssa.Value) bool {
	variable := variableAt(address)
	if variable == nil {
		return false
	}
	var store *ssa.Store
	for _, r := range *variable.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if store != nil || r.Addr != ssa.Value(variable) || r.Val == ssa.Value(variable) {
				return false
			}
			store = r
		case *ssa.MakeClosure:
			if !onlyLoads(r, variable) {
				return false
			}
		default:
			return false
		}
	}
	return store != nil && store.Block() == variable.Block() && isFirstUse(variable, store)
}

// isFirstUse tells whether nothing uses the variable between its declaration and the store, in one
// block.
func isFirstUse(variable *ssa.Alloc, store *ssa.Store) bool {
	return !slices.ContainsFunc(*variable.Referrers(), func(r ssa.Instruction) bool {
		_, isDebug := r.(*ssa.DebugRef)
		return r != ssa.Instruction(store) && !isDebug && r.Block() == store.Block() && Precedes(r, store)
	})
}

// variableAt returns the variable whose address a value is, in the function that declares it;
// nil if it is none.
func variableAt(address ssa.Value) *ssa.Alloc {
	for {
		switch v := address.(type) {
		case *ssa.Alloc:
			return v
		case *ssa.FreeVar:
			bound := BindingsOf(v)
			if len(bound) != 1 {
				return nil
			}
			address = bound[0]
		default:
			return nil
		}
	}
}

// BindingsOf returns what a function literal captures as a variable, wherever it is made; none of a method value.
func BindingsOf(v *ssa.FreeVar) (all []ssa.Value) {
	fn := v.Parent()
	if fn.Parent() == nil {
		return nil
	}
	i := slices.Index(fn.FreeVars, v)
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if made, ok := instr.(*ssa.MakeClosure); ok && made.Fn == ssa.Value(fn) {
				all = append(all, made.Bindings[i])
			}
		}
	}
	return all
}

// onlyLoads tells whether a function literal, and those in it, only load from a variable.
func onlyLoads(literal *ssa.MakeClosure, variable ssa.Value) bool {
	for i, b := range literal.Bindings {
		if b != variable {
			continue
		}
		captured := literal.Fn.(*ssa.Function).FreeVars[i]
		for _, r := range *captured.Referrers() {
			switch r := r.(type) {
			case *ssa.UnOp, *ssa.DebugRef:
			case *ssa.MakeClosure:
				if !onlyLoads(r, captured) {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}
