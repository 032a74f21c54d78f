package knowledge

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// IsPure tells whether a call computes its result from its arguments alone, but for
// the clock, and neither keeps nor changes them.
func IsPure(call *ssa.CallCommon) bool {
	if builtin, ok := call.Value.(*ssa.Builtin); ok {
		switch builtin.Name() {
		case "len", "cap", "min", "max", "real", "imag", "complex", "ssa:wrapnilchk":
			return true
		}
		return false
	}
	callee := call.StaticCallee()
	if callee == nil {
		return false
	}
	if Of(callee).Pure {
		return true
	}
	return libraries[PackagePath(callee)].Pure && callee.Signature.Recv() == nil &&
		!takesFunction(callee) && !strings.HasPrefix(callee.Name(), "Append")
}

// takesFunction tells whether a parameter of fn is a function, which may do anything.
func takesFunction(fn *ssa.Function) bool {
	for _, p := range fn.Params {
		if _, ok := p.Type().Underlying().(*types.Signature); ok {
			return true
		}
	}
	return false
}
