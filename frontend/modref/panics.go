package modref

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// MayPanic tells whether an instruction may panic, by itself or in what it calls, where the function
// tells which pointers may be nil that are no addresses of variables.
func MayPanic(instr ssa.Instruction, isNil func(v ssa.Value) bool) bool {
	mayBeNil := func(v ssa.Value) bool {
		switch v.(type) {
		case *ssa.Alloc, *ssa.Global, *ssa.FreeVar, *ssa.FieldAddr, *ssa.IndexAddr:
			return false
		}
		return isNil(v)
	}
	switch v := instr.(type) {
	case ssa.CallInstruction:
		if _, isDefer := v.(*ssa.Defer); isDefer {
			return false
		}
		if b, ok := v.Common().Value.(*ssa.Builtin); ok {
			return b.Name() == "close" || b.Name() == "ssa:wrapnilchk"
		}
		callee := v.Common().StaticCallee()
		return callee == nil || !knowledge.IsOperation(callee) && !knowledge.NeverPanics(callee)
	case *ssa.FieldAddr:
		return mayBeNil(v.X)
	case *ssa.Store:
		return mayBeNil(v.Addr)
	case *ssa.UnOp:
		return v.Op == token.MUL && mayBeNil(v.X)
	case *ssa.IndexAddr:
		return !ssaflow.IsRangeIndex(v.X, v.Index)
	case *ssa.Index:
		return !ssaflow.IsRangeIndex(v.X, v.Index)
	case *ssa.BinOp:
		basic, ok := v.Type().Underlying().(*types.Basic)
		_, constant := v.Y.(*ssa.Const)
		return (v.Op == token.QUO || v.Op == token.REM) && ok && basic.Info()&types.IsInteger != 0 && !constant
	case *ssa.TypeAssert:
		return !v.CommaOk
	case *ssa.Slice:
		return v.Low != nil || v.High != nil || v.Max != nil
	case *ssa.Select:
		return slices.ContainsFunc(v.States, func(st *ssa.SelectState) bool { return st.Send != nil })
	case *ssa.MapUpdate, *ssa.Send, *ssa.MakeSlice, *ssa.SliceToArrayPointer:
		return true
	}
	return false
}
