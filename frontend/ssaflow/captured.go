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
			if v.Parent().Parent() == nil { // of a method value
				return nil
			}
			i := slices.Index(v.Parent().FreeVars, v)
			var made []*ssa.MakeClosure
			for _, b := range v.Parent().Parent().Blocks {
				for _, instr := range b.Instrs {
					if literal, ok := instr.(*ssa.MakeClosure); ok && literal.Fn == v.Parent() {
						made = append(made, literal)
					}
				}
			}
			if len(made) != 1 {
				return nil
			}
			address = made[0].Bindings[i]
		default:
			return nil
		}
	}
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
