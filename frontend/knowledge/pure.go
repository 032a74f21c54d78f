package knowledge

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// purePackages is the packages whose functions compute their results from their
// arguments alone, and keep none of them.
var purePackages = set("strings", "bytes", "math", "math/bits", "unicode", "unicode/utf8", "strconv", "cmp")

// pureFunctions is such functions and methods of other packages, with those that
// read the clock.
var pureFunctions = set(
	"errors.Is", "time.Now", "time.Since", "time.Until",
	"(time.Time).Before", "(time.Time).After", "(time.Time).Equal", "(time.Time).Compare", "(time.Time).IsZero", "(time.Time).Sub", "(time.Time).Add",
	"(time.Time).Unix", "(time.Time).UnixNano", "(time.Duration).Seconds", "(time.Duration).Milliseconds",
	"slices.Contains", "slices.Index", "slices.Equal", "maps.Equal",
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
	if pureFunctions[Name(callee)] {
		return true
	}
	return purePackages[packagePath(callee)] && callee.Signature.Recv() == nil && !takesFunction(callee) && !strings.HasPrefix(callee.Name(), "Append")
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
