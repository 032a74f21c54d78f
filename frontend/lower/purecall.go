package lower

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
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
	return isSmall(call, depth, func(instr ssa.Instruction) bool { return isPureStep(instr, depth) })
}

// onlyLoads tells whether the call changes nothing, though what it returns may differ: a
// small function that computes and loads, by package sync/atomic too.
func onlyLoads(call *ssa.CallCommon, depth int) bool {
	return isSmall(call, depth, func(instr ssa.Instruction) bool {
		inner, isCall := instr.(*ssa.Call)
		return isPureStep(instr, depth) || isAtomicLoad(instr) || isCall && onlyLoads(inner.Common(), depth+1)
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
		variable, ok := baseOf(v.Addr).(*ssa.Alloc)
		return ok && !variable.Heap
	case *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		return false
	case *ssa.Call:
		return isPureAt(v.Common(), depth+1)
	}
	return computes(instr)
}

// findsTheSame tells whether two calls of one function find the same in the memory that
// they read, so far as it is no part of the set. As of loads in place, what others do to
// it is not looked at, but the unit itself must not change it between.
func (m *matcher) findsTheSame(a, b *ssa.Call) bool {
	memory := m.l.memoryRead(m.node, a)
	if len(memory) == 0 {
		return true
	}
	m.loose = m.loose || isPointerLike(a.Type()) && !m.isLook(a)
	return m.helper == nil && !m.isChanged(a, b, memory)
}

// memoryRead returns the memory outside the set that a call may read, but for variables
// of the function that is called.
func (l *lowerer) memoryRead(n *pointsto.Node, call *ssa.Call) []pointsto.Cell {
	var all []pointsto.Cell
	add := func(n *pointsto.Node, v ssa.Value) {
		for _, c := range l.Graph.PointsTo(n, v).Cells() {
			if len(l.Stars.LocationsAt(c)) == 0 {
				all = append(all, c)
			}
		}
	}
	if knowledge.IsPure(call.Common()) {
		for _, v := range call.Call.Args {
			if isMapOrSlice(v) && !isSliceLength(call) {
				add(n, v)
			}
		}
		return all
	}
	for _, callee := range l.Graph.Callees(n, call) {
		for _, b := range callee.Func.Blocks {
			for _, instr := range b.Instrs {
				switch v := instr.(type) {
				case *ssa.UnOp:
					if _, isOwn := baseOf(v.X).(*ssa.Alloc); v.Op == token.MUL && !isOwn {
						add(callee, v.X)
					}
				case *ssa.Lookup:
					if isMapOrSlice(v.X) {
						add(callee, v.X)
					}
				case *ssa.Call:
					if isPureCall(v.Common()) {
						all = append(all, l.memoryRead(callee, v)...)
					}
				}
			}
		}
	}
	return all
}
