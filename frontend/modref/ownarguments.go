package modref

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Helpers, as one that encodes a number, are handed memory of the set in one place, and
// other memory in others, as by the functions of the standard library that use them. A
// helper that goes nowhere but to the memory that it is handed goes to the set only where
// that may be the set's.

// IsHandedNothing tells whether the call hands nothing of the set to its callee, which has
// nothing else to go to.
func (l *Facts) IsHandedNothing(caller *pointsto.Node, e pointsto.Edge) bool {
	args, params := ssaflow.Arguments(e.Site.Common()), e.Callee.Func.Params
	if call, ok := e.Site.(*ssa.Call); ok && reduce.IsPoolCall(call, knowledge.PoolGet) && call.Parent() == caller.Func {
		return l.isOtherPool(caller, args[0])
	}
	if !l.Graph.Analysed(caller) || e.Site.Parent() != caller.Func || !IsCalled(e) || len(args) != len(params) ||
		!l.staysWithParameters(e.Callee) {
		return false
	}
	for _, arg := range args {
		switch {
		case !fresh.HoldsPointers(arg.Type()):
		case !ssaflow.IsPointerLike(arg.Type()), l.Graph.MayPointInto(caller, arg, l.Stars.Region()):
			return false
		}
	}
	return true
}

// isOtherPool tells whether a pool is nothing of the set, and makes what it has none of without
// anything that the model has: a Get runs the New of its own pool only.
func (l *Facts) isOtherPool(n *pointsto.Node, pool ssa.Value) bool {
	cells := l.Graph.PointsTo(n, pool).Cells()
	for _, cell := range cells {
		for _, made := range l.Graph.Contents(pointsto.Cell{
			Object: cell.Object, Path: pointsto.JoinPath(cell.Path, "New")}).Objects() {
			fn, ok := made.Site.(*ssa.Function)
			if closure, isClosure := made.Site.(*ssa.MakeClosure); isClosure {
				fn, ok = closure.Fn.(*ssa.Function), true
			}
			if !ok || slices.ContainsFunc(l.Graph.NodesOf(fn), l.LeadsToKept) {
				return false
			}
		}
	}
	return len(cells) > 0 && !l.Graph.MayPointInto(n, pool, l.Stars.Region())
}

// staysWithParameters tells whether a function does nothing but compute, and read and write
// numbers and the like right where its parameters point to.
func (l *Facts) staysWithParameters(n *pointsto.Node) bool {
	return ssaflow.Remember(l.stays, n, func() bool {
		if !l.Graph.Analysed(n) || len(n.Func.Blocks) == 0 || len(n.Func.FreeVars) > 0 {
			return false
		}
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				if !IsPlain(instr) {
					return false
				}
				for _, pointer := range reduce.Pointers(instr) {
					if ssaflow.IsPointerLike(pointer.Type()) && !isInParameter(pointer) {
						return false
					}
				}
			}
		}
		return true
	})
}

// IsPlain tells whether the instruction moves no pointers and makes no objects, but for
// addresses in memory that is at hand, and has nothing to do with other goroutines.
func IsPlain(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.Return:
		return !slices.ContainsFunc(v.Results, func(r ssa.Value) bool { return fresh.HoldsPointers(r.Type()) })
	case *ssa.If, *ssa.Jump, *ssa.DebugRef, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice:
		return true
	case *ssa.Store:
		return !fresh.HoldsPointers(v.Val.Type())
	case *ssa.Call:
		return ssaflow.IsBuiltin(v, "len") || ssaflow.IsBuiltin(v, "cap") ||
			ssaflow.IsBuiltin(v, "copy") && holdsPlain(v.Call.Args[0].Type())
	case *ssa.BinOp, *ssa.Convert, *ssa.ChangeType, *ssa.Phi, *ssa.Field, *ssa.Index, *ssa.UnOp:
		return !ssaflow.IsReceive(instr) && !fresh.HoldsPointers(v.(ssa.Value).Type())
	}
	return false
}

// holdsPlain tells whether the elements of a slice hold no pointers.
func holdsPlain(t types.Type) bool {
	slice, ok := t.Underlying().(*types.Slice)
	return ok && !fresh.HoldsPointers(slice.Elem())
}

// isInParameter tells whether an address is in the memory that a parameter points to.
func isInParameter(address ssa.Value) bool {
	_, isParameter := ssaflow.BaseOf(address).(*ssa.Parameter)
	return isParameter
}
