package relevance

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// isIncrement tells whether a store adds to what was just loaded from its address,
// as n++ and n += k do, and the value feeds nothing else.
func isIncrement(store *ssa.Store) (load *ssa.UnOp, ok bool) {
	sum, ok := store.Val.(*ssa.BinOp)
	if !ok || sum.Op != token.ADD && sum.Op != token.SUB || !ssaflow.IsNumber(sum) || !ssaflow.OnlyUse(sum, store) {
		return nil, false
	}
	load, ok = sum.X.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || load.X != store.Addr && !ssaflow.IsSameField(load.X, store.Addr) ||
		!ssaflow.OnlyUse(load, sum) || load.Block() != store.Block() {
		return nil, false
	}
	return load, true
}

// IncrementsIn returns the loads and stores of fn that are the halves of increments.
func IncrementsIn(fn *ssa.Function) map[ssa.Instruction]bool {
	increments := map[ssa.Instruction]bool{}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if store, ok := instr.(*ssa.Store); ok {
				if load, ok := isIncrement(store); ok {
					increments[load], increments[store] = true, true
				}
			}
		}
	}
	return increments
}
