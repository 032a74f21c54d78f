package harness

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
)

// What an internal package exports only the module itself can call. Where the module calls a function of another of its
// packages with a lock held, that lock keeps the calls apart.

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

// isUnderLocks tells whether other packages of the module call a function of the object only in functions that take
// locks: the module shows what callers have to do. What others can call too has to be called there; what only the
// module can call need not be.
func (w *trialWriter) isUnderLocks(fn *types.Func) bool {
	known, ok := w.underLocks[fn]
	if !ok {
		isCalled, isOutside := w.clients.callsUnderLocks(fn)
		known = !isOutside && (isCalled || w.isInternal)
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

// moduleCalls are the functions of the module that call others by name, or through interfaces.
type moduleCalls struct {
	byName  map[types.Object][]*ssa.Function
	invokes map[string][]invocation // by the name of the method
}

// invocation is that a function calls a method of an interface.
type invocation struct {
	caller *ssa.Function
	of     *types.Interface
}

func newModuleCalls(p *load.Program) *moduleCalls {
	c := &moduleCalls{byName: map[types.Object][]*ssa.Function{}, invokes: map[string][]invocation{}}
	for _, pkg := range p.Imported() {
		if !p.InModule(pkg.Pkg.Path()) {
			continue
		}
		for _, fn := range load.DeclaredIn(pkg) {
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					if call, ok := instr.(ssa.CallInstruction); ok {
						c.add(fn, call.Common())
					}
				}
			}
		}
	}
	return c
}

func (c *moduleCalls) add(caller *ssa.Function, call *ssa.CallCommon) {
	if call.IsInvoke() {
		if of, ok := call.Value.Type().Underlying().(*types.Interface); ok {
			c.invokes[call.Method.Name()] = append(c.invokes[call.Method.Name()], invocation{caller, of})
		}
		return
	}
	if callee := originOf(call.StaticCallee()); callee != nil && callee.Object() != nil {
		c.byName[callee.Object()] = append(c.byName[callee.Object()], caller)
	}
}

// callers returns the functions that call a function, or a method with its name of an interface that its receiver has.
func (c *moduleCalls) callers(fn *types.Func) []*ssa.Function {
	all := slices.Clone(c.byName[fn.Origin()])
	recv := fn.Signature().Recv()
	if recv == nil {
		return all
	}
	for _, i := range c.invokes[fn.Name()] {
		if types.Implements(recv.Type(), i.of) {
			all = append(all, i.caller)
		}
	}
	return all
}

// leavesLocks tells whether a function takes no lock, and no other package of the module calls it where it takes none:
// who calls it keeps it apart from others, if anybody does.
func (w *trialWriter) leavesLocks(fn *types.Func) bool {
	_, isOutside := w.clients.callsUnderLocks(fn)
	return !isOutside && !mayTakeLock(w.clients.program.FuncValue(fn.Origin()), map[*ssa.Function]bool{})
}

// mayTakeLock tells whether a function may take a lock: where it calls what is not of its package, it may.
func mayTakeLock(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if fn == nil || len(fn.Blocks) == 0 || knowledge.TakesLock(fn) {
		return true
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if _, ok := call.Common().Value.(*ssa.Builtin); ok {
				continue
			}
			callee := originOf(call.Common().StaticCallee())
			if callee == nil || callee.Pkg != fn.Pkg || !seen[callee] && mayTakeLock(callee, seen) {
				return true
			}
		}
	}
	return false
}

// callsUnderLocks tells whether functions of other packages of the module call one, and whether one of them does that
// itself takes no lock.
func (w *clientWriter) callsUnderLocks(fn *types.Func) (isCalled, isOutside bool) {
	type key struct{}
	calls := load.Keep(w.loaded, key{}, func() *moduleCalls { return newModuleCalls(w.loaded) })
	for _, caller := range calls.callers(fn) {
		if outermost := knowledge.Outermost(caller); outermost.Pkg == nil || outermost.Pkg.Pkg != fn.Pkg() {
			isCalled = true
			isOutside = isOutside || !knowledge.TakesLock(outermost)
		}
	}
	return isCalled, isOutside
}
