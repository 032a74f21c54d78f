package lower

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// passesRootOn tells whether the function that is called counts as the one with which
// the goroutine begins: go s.run() is the same to the reader, and to us, as
//
//	go func() {
//		defer wg.Done()
//		s.run()
//	}()
//
// The caller is a wrapper that the compiler made, or one that the program wrote: it
// opens no unit, and the call, once, is all that it does to the atomic set.
func (l *lowerer) passesRootOn(c *clone, call ssa.CallInstruction) bool {
	if !c.root || modref.IsWrapper(c.fn.Func) {
		return c.root
	}
	return len(c.units) == 0 && ssaflow.Remember(l.forwards, forwarding{c.node, call}, func() bool {
		return l.onlyForwards(c.node, call)
	})
}

// forwarding is a question whether a call is all that a function does.
type forwarding struct {
	node *pointsto.Node
	call ssa.CallInstruction
}

// onlyForwards tells whether the call, once, is all that the function does to the atomic set.
func (l *lowerer) onlyForwards(n *pointsto.Node, call ssa.CallInstruction) bool {
	_, isCall := call.(*ssa.Call)
	if !isCall || slices.Contains(l.Graph.Roots(), n) {
		return false
	}
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			if instr != ssa.Instruction(call) && l.TouchesSet(n, instr) {
				return false
			}
			if other, ok := instr.(ssa.CallInstruction); ok && other != call &&
				slices.ContainsFunc(l.Graph.Callees(n, other), l.isWork) {
				return false
			}
		}
	}
	return !ssaflow.BlockReaches(call.Block(), call.Block(), nil)
}

// isWork tells whether the model keeps the function for more than what it does to
// wait groups, channels and the like.
func (l *lowerer) isWork(n *pointsto.Node) bool {
	return l.LeadsToKept(n) && !knowledge.IsSynchronisation(n.Func)
}
