package ssaflow

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

// IsPureCall tells whether the call only computes its result, from its arguments and
// memory that they lead to: one of the library that is known to, or a small function
// of the program.
func IsPureCall(call *ssa.CallCommon) bool { return isPureAt(call, 0) }

func isPureAt(call *ssa.CallCommon, depth int) bool {
	if knowledge.IsPure(call) {
		return true
	}
	return isSmall(call, depth, func(instr ssa.Instruction) bool { return isPureStep(instr, depth) })
}

// OnlyLoads tells whether the call changes nothing, though what it returns may differ: a
// small function that computes and loads, by package sync/atomic too.
func OnlyLoads(call *ssa.CallCommon, depth int) bool {
	return isSmall(call, depth, func(instr ssa.Instruction) bool {
		inner, isCall := instr.(*ssa.Call)
		return isPureStep(instr, depth) || IsAtomicLoad(instr) || isCall && OnlyLoads(inner.Common(), depth+1)
	})
}

// isSmall tells whether the call is of a function within the bounds of which every
// instruction is a step.
func isSmall(call *ssa.CallCommon, depth int, isStep func(ssa.Instruction) bool) bool {
	fn := call.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 || fn.Recover != nil || depth == maxPureDepth {
		return false
	}
	size := 0
	for _, b := range fn.Blocks {
		if size += len(b.Instrs); size > maxPureSize {
			return false
		}
		for _, instr := range b.Instrs {
			if !isStep(instr) {
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
		variable, ok := BaseOf(v.Addr).(*ssa.Alloc)
		return ok && !variable.Heap
	case *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		return false
	case *ssa.Call:
		return isPureAt(v.Common(), depth+1)
	}
	return Computes(instr)
}

// IsChecked tells whether v was not nil in an earlier block on every way here.
func IsChecked(v ssa.Value, b *ssa.BasicBlock) bool {
	if v.Referrers() == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		if field, ok := r.(*ssa.FieldAddr); ok && field.Block() != b && field.Block().Dominates(b) {
			return true
		}
	}
	return false
}

// Inputs returns the parameters, then the captured variables.
func Inputs(fn *ssa.Function) []ssa.Value {
	var all []ssa.Value
	for _, p := range fn.Params {
		all = append(all, p)
	}
	for _, v := range fn.FreeVars {
		all = append(all, v)
	}
	return all
}
