package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
)

// overwritten returns the memory, in the objects, that a synchronisation object is
// stored to, as in wg = sync.WaitGroup{}: what was known of it before holds no longer.
// The value that a variable is declared with does not count.
func overwritten(graph *pointsto.Result, objects []*pointsto.Object) []pointsto.Cell {
	var all []pointsto.Cell
	if len(objects) == 0 {
		return nil
	}
	for _, n := range graph.Holders(objects...) {
		if knowledge.IsSynchronisation(n.Func) {
			continue
		}
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				store, ok := instr.(*ssa.Store)
				if ok && query.HoldsSynchronisation(store.Val.Type()) && !isFirstUse(store) {
					all = append(all, graph.PointsTo(n, store.Addr).Cells()...)
				}
			}
		}
	}
	return all
}

// isFirstUse tells whether the store is to a variable declared just before.
func isFirstUse(store *ssa.Store) bool {
	made, ok := store.Addr.(*ssa.Alloc)
	if !ok || made.Block() != store.Block() {
		return false
	}
	declared := false
	for _, instr := range store.Block().Instrs {
		if instr == ssa.Instruction(store) {
			return true
		}
		declared = declared || instr == ssa.Instruction(made)
		for _, o := range instr.Operands(nil) {
			if declared && *o == ssa.Value(made) {
				return false
			}
		}
	}
	return false
}
