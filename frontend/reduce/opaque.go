package reduce

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// maxOpaque bounds the functions of libraries of which it is followed what code that nobody
// understands does for them.
const maxOpaque = 16

// leaveOutOpaque leaves out of the model what functions of libraries may do to the stars by
// reflection, or by code without a body in Go, if there are too many of them: in a large program
// nearly everything can be reached from nearly everywhere. It is an assumption of the answer. What
// the user's own code hands to such code is never left out.
func (r *Reduction) leaveOutOpaque(
	graph *pointsto.Result, stars *isolate.Isolation, near map[*pointsto.Node]bool, isOwn func(*ssa.Function) bool,
) {
	count := 0
	for _, n := range graph.Nodes() {
		if !near[n] || isOwn(n.Func) || !reachesOpaquely(graph, stars, n) {
			continue
		}
		if count++; count > maxOpaque {
			r.LeftOut = n
			stars.LeaveOut(isOwn)
			return
		}
	}
}

// reachesOpaquely tells whether the function hands what leads to the stars to code that nobody
// understands.
func reachesOpaquely(graph *pointsto.Result, stars *isolate.Isolation, n *pointsto.Node) bool {
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			for _, operand := range libraryOperands(graph, stars, n, instr) {
				if operand.effect.All && len(DeepCells(graph, stars, n, operand.value, operand.effect)) > 0 {
					return true
				}
			}
		}
	}
	return false
}
