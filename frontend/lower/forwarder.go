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
	_, isCall := call.(*ssa.Call)
	if !isCall || len(c.units) > 0 || slices.Contains(l.Graph.Roots(), c.node) ||
		ssaflow.BlockReaches(call.Block(), call.Block(), nil) {
		return false
	}
	for _, b := range c.fn.Func.Blocks {
		for _, instr := range b.Instrs {
			if instr != ssa.Instruction(call) && l.TouchesSet(c.node, instr) {
				return false
			}
			if other, ok := instr.(ssa.CallInstruction); ok && other != call &&
				slices.ContainsFunc(l.Graph.Callees(c.node, other), l.isWork) {
				return false
			}
		}
	}
	return true
}

// isWork tells whether the model keeps the function for more than what it does to
// wait groups, channels and the like.
func (l *lowerer) isWork(n *pointsto.Node) bool {
	return l.LeadsToKept(n) && !knowledge.IsSynchronisation(n.Func)
}
