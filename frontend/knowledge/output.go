package knowledge

import "golang.org/x/tools/go/ssa"

// IsOutput tells whether the call does nothing with its arguments but write them to a
// log, to the standard output or error, or to a metric.
func IsOutput(call *ssa.CallCommon) bool {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return b.Name() == "print" || b.Name() == "println"
	}
	if call.IsInvoke() {
		pkg := call.Method.Pkg()
		return pkg != nil && isOutputPackage(pkg.Path()) || OfObject(call.Method).Output == ToStandard
	}
	callee := call.StaticCallee()
	if callee == nil {
		return false
	}
	switch Of(callee).Output {
	case ToStandard:
		return true
	case ToWriter:
		return isStandardStream(call.Args[0])
	}
	return callee.Pkg != nil && isOutputPackage(callee.Pkg.Pkg.Path())
}

// IsFormatting tells whether the call makes a text of its arguments.
func IsFormatting(call *ssa.CallCommon) bool {
	callee := call.StaticCallee()
	return callee != nil && Of(callee).Output == ToText
}

// isStandardStream tells whether a writer is os.Stdout or os.Stderr.
func isStandardStream(writer ssa.Value) bool {
	if boxed, ok := writer.(*ssa.MakeInterface); ok {
		writer = boxed.X
	}
	load, ok := writer.(*ssa.UnOp)
	if !ok {
		return false
	}
	global, ok := load.X.(*ssa.Global)
	return ok && (global.String() == "os.Stdout" || global.String() == "os.Stderr")
}
