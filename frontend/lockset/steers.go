package lockset

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// steerDepth is how many calls deep the operations on locks lie that a field may steer.
const steerDepth = 2

// OperatesOnLocks tells whether the function operates on locks, by itself or by what it calls,
// a few calls deep: so that what it branches on may decide what is held.
func OperatesOnLocks(fn *ssa.Function) bool { return operatesWithin(fn, steerDepth) }

func operatesWithin(fn *ssa.Function, depth int) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if call.Common().IsInvoke() {
				if name := call.Common().Method.Name(); name == "Lock" || name == "Unlock" {
					return true
				}
				continue
			}
			callee := call.Common().StaticCallee()
			if callee == nil {
				continue
			}
			if _, is := knowledge.LockOperation(callee); is || depth > 0 && operatesWithin(callee, depth-1) {
				return true
			}
		}
	}
	return false
}
