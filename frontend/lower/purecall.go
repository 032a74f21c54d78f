package lower

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// maxPureSize and maxPureDepth bound the functions of the program that are looked
// into for whether they only compute.
const (
	maxPureSize  = 80
	maxPureDepth = 3
)

// isPureCall tells whether the call only computes its result, from its arguments and
// memory that they lead to: one of the library that is known to, or a small function
// of the program.
func isPureCall(call *ssa.CallCommon) bool { return isPureAt(call, 0) }

func isPureAt(call *ssa.CallCommon, depth int) bool {
	if knowledge.IsPure(call) {
		return true
	}
	fn := call.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 || fn.Recover != nil || depth == maxPureDepth {
		return false
	}
	size := 0
	for _, b := range fn.Blocks {
		size += len(b.Instrs)
		if size > maxPureSize {
			return false
		}
		for _, instr := range b.Instrs {
			if !isPureStep(instr, depth) {
				return false
			}
		}
	}
	return true
}

func isPureStep(instr ssa.Instruction, depth int) bool {
	switch v := instr.(type) {
	case *ssa.Jump, *ssa.If, *ssa.Return, *ssa.DebugRef:
		return true
	case *ssa.UnOp:
		return v.Op != token.ARROW
	case *ssa.Alloc:
		return !v.Heap
	case *ssa.Store:
		variable, ok := baseOf(v.Addr).(*ssa.Alloc)
		return ok && !variable.Heap
	case *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		return false
	case *ssa.Call:
		return isPureAt(v.Common(), depth+1)
	}
	return computes(instr)
}
