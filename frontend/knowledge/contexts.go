package knowledge

import "golang.org/x/tools/go/ssa"

// AsksContext tells whether a call asks a context whether it is done: of Done or Err.
func AsksContext(call *ssa.CallCommon) bool { return IsContextDone(call) || IsContextErr(call) }

// IsContextDone tells whether the call is of context.Context.Done.
func IsContextDone(call *ssa.CallCommon) bool { return isContextMethod(call, "Done") }

// IsContextErr tells whether the call is of context.Context.Err.
func IsContextErr(call *ssa.CallCommon) bool { return isContextMethod(call, "Err") }

// ContextAskedForError returns the context that the call asks for its error, by Err or
// context.Cause: once the context is done, that is never nil. It is nil for other calls.
func ContextAskedForError(call *ssa.CallCommon) ssa.Value {
	if IsContextErr(call) {
		return call.Value
	}
	if fn := call.StaticCallee(); fn != nil && Name(fn) == "context.Cause" {
		return call.Args[0]
	}
	return nil
}

// IsOfContext tells whether a function is one of package context, or the method of such a type
// under the name of one that embeds it.
func IsOfContext(fn *ssa.Function) bool {
	declared := fn.Object()
	return declared != nil && declared.Pkg() != nil && declared.Pkg().Path() == "context"
}

func isContextMethod(call *ssa.CallCommon, name string) bool {
	return call.IsInvoke() && call.Method.Name() == name && call.Method.Pkg() != nil && call.Method.Pkg().Path() == "context"
}

// IsCancel tells whether fn is the function that context.WithCancel returns.
func IsCancel(fn *ssa.Function) bool {
	return fn.Parent() != nil && packagePath(fn.Parent()) == "context" && Name(fn.Parent()) == "context.WithCancel"
}
