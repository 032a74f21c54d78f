package harness

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
)

// How the packages of a module call a function of another of its packages shows what callers have to do. Where they do
// so only with locks held, these keep the calls apart.

// callerLocks is what the module shows of the locks of those who call a function.
type callerLocks struct {
	areHeld bool // see TrialStep.UnderLocks
	areLeft bool // see TrialStep.LeavesLocks
}

// callerLocksOf returns that of a function of the object. Locks are held if other packages of the module call it only
// in functions that take some. What others can call too has to be called there; what only the module can call need not
// be. They are left to callers if it takes none, and no other package calls it where none is taken.
func (w *trialWriter) callerLocksOf(fn *types.Func) callerLocks {
	known, ok := w.callerLocks[fn]
	if !ok {
		isCalled, isOutside := w.clients.callsUnderLocks(fn)
		isOwn := fn.Pkg() != nil && w.clients.loaded.InModule(fn.Pkg().Path())
		known.areHeld = !isOutside && (isCalled && isOwn || w.isInternal)
		known.areLeft = !isOutside && !mayTakeLock(w.clients.program.FuncValue(fn.Origin()), true,
			map[*ssa.Function]bool{})
		w.callerLocks[fn] = known
	}
	return known
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

// mayTakeLock tells whether a function may take a lock, itself or in what it calls. Of what is not of its package, or
// not known, that is taken for granted or not.
func mayTakeLock(fn *ssa.Function, others bool, seen map[*ssa.Function]bool) bool {
	if fn == nil || len(fn.Blocks) == 0 {
		return others
	}
	if seen[fn] = true; knowledge.TakesLock(fn) {
		return true
	}
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
			switch isOwn := callee != nil && callee.Pkg == fn.Pkg; {
			case !isOwn && others, isOwn && !seen[callee] && mayTakeLock(callee, others, seen):
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
