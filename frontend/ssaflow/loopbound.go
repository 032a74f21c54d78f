package ssaflow

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// OnceAround tells whether the loop is entered at most once for each execution of
// the block before it: both lie in the same further loops.
func OnceAround(before, header *ssa.BasicBlock) bool {
	for _, loop := range NaturalLoops(header.Parent()) {
		if loop[header] && LoopHeader(loop) != header && !loop[before] {
			return false
		}
	}
	return true
}

// LoopBound returns the value that the loop counts up to by ones from zero or
// more, if it is such a loop.
func LoopBound(header *ssa.BasicBlock) ssa.Value {
	branch, ok := header.Instrs[len(header.Instrs)-1].(*ssa.If)
	if !ok {
		return nil
	}
	cond, ok := branch.Cond.(*ssa.BinOp)
	if !ok || cond.Op != token.LSS {
		return nil
	}
	// Either i < n with i counting from 0, or i+1 < n with i counting from -1.
	least := int64(0)
	counter, ok := cond.X.(*ssa.Phi)
	if !ok {
		next, isSum := cond.X.(*ssa.BinOp)
		if !isSum || next.Op != token.ADD || !IsInt(next.Y, 1) {
			return nil
		}
		if counter, ok = next.X.(*ssa.Phi); !ok {
			return nil
		}
		least = -1
	}
	for i, e := range counter.Edges {
		if k, isConst := e.(*ssa.Const); isConst {
			if header.Dominates(counter.Block().Preds[i]) {
				return nil // the loop begins to count anew
			}
			if v, exact := constant.Int64Val(constant.ToInt(k.Value)); !exact || v < least {
				return nil
			}
			continue
		}
		sum, isSum := e.(*ssa.BinOp)
		if !isSum || sum.Op != token.ADD || sum.X != ssa.Value(counter) || !IsInt(sum.Y, 1) {
			return nil
		}
	}
	return cond.Y
}

// IsInt tells whether v is the integer constant n.
func IsInt(v ssa.Value, n int64) bool {
	k, ok := v.(*ssa.Const)
	if !ok || k.Value == nil || k.Value.Kind() != constant.Int {
		return false
	}
	got, exact := constant.Int64Val(k.Value)
	return exact && got == n
}

// SameCount tells whether two values are evidently the same number.
func SameCount(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	if ka, ok := a.(*ssa.Const); ok {
		kb, ok := b.(*ssa.Const)
		return ok && ka.Value != nil && kb.Value != nil && constant.Compare(ka.Value, token.EQL, kb.Value)
	}
	la, lb := LengthOf(a), LengthOf(b)
	return la != nil && la == lb
}

// LengthOf returns x if v is len(x) and x is a slice or array held in a register.
func LengthOf(v ssa.Value) ssa.Value {
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	b, ok := call.Call.Value.(*ssa.Builtin)
	if !ok || b.Name() != "len" {
		return nil
	}
	if _, isSlice := call.Call.Args[0].Type().Underlying().(*types.Slice); !isSlice {
		return nil
	}
	return call.Call.Args[0]
}
