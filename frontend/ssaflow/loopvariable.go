package ssaflow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A loop for i := ...; i < n; i++ whose body captures i has a variable for each
// iteration: at the end of one, the next one gets the value, and is incremented.

// countsVariable tells whether a value is what such variables hold, and that is first in
// the first iteration, and one more in each further one.
func countsVariable(v ssa.Value, header *ssa.BasicBlock, first int64) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	variable, ok := load.X.(*ssa.Phi)
	if !ok || variable.Block() != header || !isOnlyRead(variable) {
		return false
	}
	for i, e := range variable.Edges {
		one, ok := e.(*ssa.Alloc)
		if !ok || !header.Dominates(header.Preds[i]) && !beginsWith(one, first) ||
			header.Dominates(header.Preds[i]) && !follows(one, variable) {
			return false
		}
	}
	return true
}

// isOnlyRead tells whether the variable of an iteration is only read in it.
func isOnlyRead(variable *ssa.Phi) bool {
	stores := 0
	return OnlyLoaded(variable, &stores) && stores == 0
}

// storesTo returns the values stored in a variable that is only stored to, loaded from and
// that of an iteration, in the order of its block; ok is false if more is done with it.
func storesTo(variable *ssa.Alloc) (values []ssa.Value, ok bool) {
	for _, r := range *variable.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != ssa.Value(variable) || r.Block() != variable.Block() {
				return nil, false
			}
		case *ssa.UnOp, *ssa.Phi, *ssa.DebugRef:
		default:
			return nil, false
		}
	}
	for _, instr := range variable.Block().Instrs {
		if store, ok := instr.(*ssa.Store); ok && store.Addr == ssa.Value(variable) {
			values = append(values, store.Val)
		}
	}
	return values, true
}

// beginsWith tells whether the variable of the first iteration holds the number.
func beginsWith(variable *ssa.Alloc, first int64) bool {
	values, ok := storesTo(variable)
	return ok && len(values) == 1 && IsInt(values[0], first)
}

// follows tells whether a variable gets one more than the variable of the iteration
// before.
func follows(next *ssa.Alloc, variable *ssa.Phi) bool {
	values, ok := storesTo(next)
	if !ok || len(values) != 2 || !isLoadOf(values[0], variable) {
		return false
	}
	sum, ok := values[1].(*ssa.BinOp)
	return ok && sum.Op == token.ADD && isLoadOf(sum.X, next) && IsInt(sum.Y, 1)
}

func isLoadOf(v, address ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	return ok && load.Op == token.MUL && load.X == address
}
