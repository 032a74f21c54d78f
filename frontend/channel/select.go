package channel

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// CaseTest tells whether the block ends by asking whether a case of a select was
// chosen, and which.
func CaseTest(b *ssa.BasicBlock) (sel *ssa.Select, index int, ok bool) {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return nil, 0, false
	}
	cond, ok := branch.Cond.(*ssa.BinOp)
	if !ok || cond.Op != token.EQL {
		return nil, 0, false
	}
	part, ok := cond.X.(*ssa.Extract)
	if !ok || part.Index != 0 {
		return nil, 0, false
	}
	if sel, ok = part.Tuple.(*ssa.Select); !ok {
		return nil, 0, false
	}
	k, ok := cond.Y.(*ssa.Const)
	if !ok || k.Value == nil {
		return nil, 0, false
	}
	n, exact := constant.Int64Val(k.Value)
	return sel, int(n), exact && n >= 0 && int(n) < len(sel.States)
}
