package harness

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
)

// What an internal package exports only the module itself can call. Where it does so with a lock held, that lock keeps
// the calls apart.

// isInternal tells whether only the module itself can make the object, though packages are named that others import.
func (w *clientWriter) isInternal() bool {
	isInternal := func(pkg *types.Package) bool {
		_, is := load.InternalTo(pkg.Path())
		return is
	}
	if w.named == nil || !slices.ContainsFunc(w.loaded.Packages, func(pkg *ssa.Package) bool {
		return pkg.Pkg.Name() != "main" && !isInternal(pkg.Pkg)
	}) {
		return false
	}
	return !slices.ContainsFunc(w.makers, func(m maker) bool {
		if m.fn == nil {
			return !isInternal(w.named.Obj().Pkg())
		}
		return !isInternal(m.fn.Pkg())
	})
}

// isUnderLocks tells whether only the module itself can call a function of the object, and other packages of it do so
// only in functions that take locks.
func (w *trialWriter) isUnderLocks(fn *types.Func) bool {
	if !w.isInternal {
		return false
	}
	known, ok := w.underLocks[fn]
	if !ok {
		known = !w.clients.isCalledOutsideLocks(fn)
		w.underLocks[fn] = known
	}
	return known
}

// isHandedOut tells whether a package that others import declares something of the type of the object, as an alias or
// an embedded field: what it has, others can call.
func (w *clientWriter) isHandedOut() bool {
	return slices.ContainsFunc(w.loaded.Packages, func(pkg *ssa.Package) bool {
		if _, is := load.InternalTo(pkg.Pkg.Path()); is || pkg.Pkg.Name() == "main" {
			return false
		}
		for _, name := range pkg.Pkg.Scope().Names() {
			o, ok := pkg.Pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || !o.Exported() {
				continue
			}
			if o.IsAlias() && namedOf(o.Type()) != nil && namedOf(o.Type()).Origin().Obj() == w.named.Obj() {
				return true
			}
			structure, ok := o.Type().Underlying().(*types.Struct)
			if ok && slices.ContainsFunc(slices.Collect(structure.Fields()), func(f *types.Var) bool {
				of := namedOf(f.Type())
				return (f.Exported() || f.Embedded()) && of != nil && of.Origin().Obj() == w.named.Obj()
			}) {
				return true
			}
		}
		return false
	})
}

// isCalledOutsideLocks tells whether a function of another package calls a method that itself takes no lock.
func (w *clientWriter) isCalledOutsideLocks(method *types.Func) bool {
	return slices.ContainsFunc(w.loaded.Imported(), func(pkg *ssa.Package) bool {
		return pkg.Pkg != method.Pkg() && w.loaded.InModule(pkg.Pkg.Path()) &&
			slices.ContainsFunc(load.DeclaredIn(pkg), func(fn *ssa.Function) bool {
				return callsMethod(fn, method) && !knowledge.TakesLock(knowledge.Outermost(fn))
			})
	})
}

// callsMethod tells whether a function calls a method, or one with its name of an interface that has it.
func callsMethod(fn *ssa.Function, method *types.Func) bool {
	return hasCall(fn, func(call *ssa.CallCommon) bool {
		if call.IsInvoke() {
			recv := method.Signature().Recv()
			of, _ := call.Value.Type().Underlying().(*types.Interface)
			return call.Method.Name() == method.Name() && recv != nil && of != nil && types.Implements(recv.Type(), of)
		}
		callee := call.StaticCallee()
		if callee != nil && callee.Origin() != nil {
			callee = callee.Origin()
		}
		return callee != nil && callee.Object() == method.Origin()
	})
}

// hasCall tells whether a call that a function makes is such a one.
func hasCall(fn *ssa.Function, is func(*ssa.CallCommon) bool) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && is(call.Common()) {
				return true
			}
		}
	}
	return false
}
