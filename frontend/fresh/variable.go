package fresh

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A variable that function literals capture is memory of its own. If it gets one value, as
// t in t := &T{...}, every load from it is that value.

// variableSet returns the variable that an instruction gives its only value, v; nil if it
// does no such thing.
func variableSet(instr ssa.Instruction, v ssa.Value) *ssa.Alloc {
	store, ok := instr.(*ssa.Store)
	if !ok || store.Val != v {
		return nil
	}
	variable, ok := store.Addr.(*ssa.Alloc)
	if !ok || onlyStore(variable) != store {
		return nil
	}
	return variable
}

// held returns the value of a load from such a variable, in the function that has it;
// other values are what they are.
func held(v ssa.Value) ssa.Value {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return v
	}
	variable, ok := load.X.(*ssa.Alloc)
	if !ok {
		return v
	}
	if store := onlyStore(variable); store != nil && dominates(store, load) {
		return store.Val
	}
	return v
}

// loadsOf returns the loads from a variable in the function that has it.
func loadsOf(variable *ssa.Alloc) (all []ssa.Value) {
	if variable == nil {
		return nil
	}
	for _, r := range *variable.Referrers() {
		if load, ok := r.(*ssa.UnOp); ok {
			all = append(all, load)
		}
	}
	return all
}

// onlyStore returns the store that gives a variable its only value, a new object, next to
// where that is made; nil if there are others, or more is done with the variable than to
// load from it, here and in function literals.
func onlyStore(variable *ssa.Alloc) (only *ssa.Store) {
	for _, r := range *variable.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if only != nil || r.Addr != ssa.Value(variable) {
				return nil
			}
			only = r
		case *ssa.MakeClosure:
			if !capturesToLoad(r, variable) {
				return nil
			}
		default:
			return nil
		}
	}
	if only == nil || reaches(only, only, variable) {
		return nil
	}
	if made, ok := only.Val.(*ssa.Alloc); !ok || made.Block() != only.Block() || made.Block() != variable.Block() {
		return nil
	}
	return only
}

// capturesToLoad tells whether a function literal only loads from a variable.
func capturesToLoad(literal *ssa.MakeClosure, variable ssa.Value) bool {
	for i, b := range literal.Bindings {
		if b != variable {
			continue
		}
		for _, r := range *literal.Fn.(*ssa.Function).FreeVars[i].Referrers() {
			switch r := r.(type) {
			case *ssa.UnOp, *ssa.DebugRef:
			case *ssa.MakeClosure:
				if !capturesToLoad(r, literal.Fn.(*ssa.Function).FreeVars[i]) {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}

// isCapturedBefore tells whether a function literal may have captured the variable before
// the load, and changed what it holds the address of.
func isCapturedBefore(variable *ssa.Alloc, load, holder ssa.Instruction) bool {
	for _, r := range *variable.Referrers() {
		if literal, ok := r.(*ssa.MakeClosure); ok && reaches(literal, load, holder) {
			return true
		}
	}
	return false
}
