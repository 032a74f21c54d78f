package reduce

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// events tells which accesses to what the fields of stars lead to are events: not those
// to memory that nobody else can reach yet, and not reads of what nobody writes later, as
// of an error that is held. (Package lower makes no step of them. If they counted here,
// errors.New would be part of the model, with all that ever makes an error.) Accesses to
// stars themselves always count: a constructor stays in the model.
type events struct {
	graph *pointsto.Result
	stars *isolate.Isolation
	fresh *fresh.Analysis
}

// at tells whether the instruction of n is an event, given that it accesses locations.
func (e *events) at(n *pointsto.Node, instr ssa.Instruction) bool {
	if len(libraryOperands(e.graph, e.stars, n, instr)) > 0 {
		return true
	}
	return slices.ContainsFunc(Pointers(instr), func(pointer ssa.Value) bool {
		var cells []pointsto.Cell
		for _, c := range e.graph.PointsToWithin(n, pointer, e.stars.Region()) {
			if len(e.stars.StarsAt(c)) > 0 {
				return true
			}
			if len(e.stars.LocationsAt(c)) > 0 {
				cells = append(cells, c)
			}
		}
		if len(cells) == 0 || e.fresh.Is(n, pointer, instr) {
			return false
		}
		_, isLoad := instr.(*ssa.UnOp)
		return !isLoad || slices.ContainsFunc(cells, e.fresh.IsCellWritten)
	})
}
