package knowledge

import "golang.org/x/tools/go/ssa"

// AsksContext tells whether a call asks a context whether it is done: of Done or Err.
func AsksContext(call *ssa.CallCommon) bool { return IsContextDone(call) || IsContextErr(call) }

// IsContextDone tells whether the call is of context.Context.Done.
func IsContextDone(call *ssa.CallCommon) bool { return isContextMethod(call, "Done") }

// IsContextErr tells whether the call is of context.Context.Err.
func IsContextErr(call *ssa.CallCommon) bool { return isContextMethod(call, "Err") }

func isContextMethod(call *ssa.CallCommon, name string) bool {
	return call.IsInvoke() && call.Method.Name() == name && call.Method.Pkg() != nil && call.Method.Pkg().Path() == "context"
}

// IsCancel tells whether fn is the function that context.WithCancel returns.
func IsCancel(fn *ssa.Function) bool {
	return fn.Parent() != nil && packagePath(fn.Parent()) == "context" && Name(fn.Parent()) == "context.WithCancel"
}
