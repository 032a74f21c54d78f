package harness

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A constructor may only hand on what another one returns: as the package at the root of a module does, for those
// who do not care where the type lives. Clients that call the other one do what its clients do.

// withoutForwarded leaves out the clients that make their object by a function which only calls the function by which
// others do, if those call all that they call.
func withoutForwarded(writers []*clientWriter) []*clientWriter {
	return slices.DeleteFunc(slices.Clone(writers), func(w *clientWriter) bool {
		return slices.ContainsFunc(writers, func(other *clientWriter) bool { return other.standsFor(w) })
	})
}

// standsFor tells whether clients do what other ones do, which make their object by handing on what these make.
func (w *clientWriter) standsFor(other *clientWriter) bool {
	if len(w.makers) != 1 || len(other.makers) != 1 {
		return false
	}
	maker, forwarder := w.makers[0], other.makers[0]
	return maker.isFunction() && forwarder.isFunction() &&
		forwards(w.program.FuncValue(forwarder.fn), maker.fn) &&
		!slices.ContainsFunc(other.called, func(fn *types.Func) bool { return fn != forwarder.fn && !w.calls(fn) })
}

// calls tells whether clients call a function, or the method with the name of one: an interface of the object's has
// methods of its own.
func (w *clientWriter) calls(fn *types.Func) bool {
	return slices.ContainsFunc(w.called, func(called *types.Func) bool {
		isMethod := fn.Signature().Recv() != nil && called.Signature().Recv() != nil
		return called == fn || isMethod && called.Name() == fn.Name()
	})
}

// forwards tells whether all that a function does is to call another one, with its own parameters, each once at most,
// and to return what that returns.
func forwards(fn *ssa.Function, to *types.Func) bool {
	if fn == nil || len(fn.Blocks) != 1 {
		return false
	}
	called := false
	for _, instr := range fn.Blocks[0].Instrs {
		switch i := instr.(type) {
		case *ssa.Call:
			callee := i.Call.StaticCallee()
			if called || callee == nil || callee.Object() != to || !areDifferentParameters(i.Call.Args) {
				return false
			}
			called = true
		case *ssa.Extract, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.Return, *ssa.DebugRef:
		default:
			return false
		}
	}
	return called
}

func areDifferentParameters(arguments []ssa.Value) bool {
	for i, v := range arguments {
		if _, is := v.(*ssa.Parameter); !is || slices.Contains(arguments[:i], v) {
			return false
		}
	}
	return true
}
