package lower

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
)

// opensUnit tells whether a node is a unit on star k because it accesses its fields
// itself, or memory that they lead to and that does not guard itself.
func (l *lowerer) opensUnit(n *pointsto.Node, k int) bool {
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			if l.opensUnitAt(n, instr, k) {
				return true
			}
		}
	}
	return false
}

func (l *lowerer) opensUnitAt(n *pointsto.Node, instr ssa.Instruction, k int) bool {
	call, isCall := instr.(*ssa.Call)
	indivisible := isCall && isIndivisible(call)
	return slices.ContainsFunc(reduce.CellsAccessedBy(l.Graph, l.Stars, n, instr), func(c pointsto.Cell) bool {
		if !slices.ContainsFunc(l.Stars.LocationsAt(c), func(at isolate.Location) bool { return at.Star == k }) {
			return false
		}
		return len(l.Stars.StarsAt(c)) > 0 || !l.Stars.IsApart(c.Object) && (l.Stars.IsHeld(c.Object) || !indivisible)
	})
}
