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
	areLent bool // see TrialStep.IsLentLock
	byMaker bool // see TrialStep.ByMaker
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
		known.areLent = fn.Name() != "Lock" && w.lends && !mayTakeLock(w.clients.program.FuncValue(fn.Origin()), false,
			map[*ssa.Function]bool{})
		known.byMaker = w.clients.isByMaker(fn)
		w.callerLocks[fn] = known
	}
	return known
}

// lendsLock tells whether the object has a lock of its own for its callers: the type declares a method Lock that does
// nothing but take a mutex of the object. What takes no lock is left to them. (A mutex that is embedded may be exported
// without being meant to be, and a lock that is what the type is for does more.)
func (w *clientWriter) lendsLock() bool {
	if w.named == nil {
		return false
	}
	for m := range w.named.Methods() {
		if m.Name() == "Lock" {
			return isForwardedLock(w.program.FuncValue(m.Origin()))
		}
	}
	return false
}

// isForwardedLock tells whether all that a method does is to take a mutex.
func isForwardedLock(fn *ssa.Function) bool {
	if fn == nil || len(fn.Blocks) != 1 {
		return false
	}
	takes := false
	for _, instr := range fn.Blocks[0].Instrs {
		switch x := instr.(type) {
		case *ssa.Call:
			if !isLock(x.Common()) {
				return false
			}
			takes = true
		case *ssa.FieldAddr, *ssa.UnOp, *ssa.Return, *ssa.DebugRef:
		default:
			return false
		}
	}
	return takes
}

// isLock tells whether a call takes a mutex, or is Lock of a sync.Locker, as a condition has it.
func isLock(call *ssa.CallCommon) bool {
	if call.IsInvoke() {
		return call.Method.Name() == "Lock"
	}
	callee := call.StaticCallee()
	if callee == nil {
		return false
	}
	op, ok := knowledge.LockOperation(callee)
	return ok && op == knowledge.Lock
}

// moduleCalls are the calls in the module, by name, or through interfaces.
type moduleCalls struct {
	byName  map[types.Object][]ssa.CallInstruction
	invokes map[string][]ssa.CallInstruction // by the name of the method
	values  map[string][]*types.Func         // functions that are used otherwise, by name: anything may call them
}

func moduleCallsOf(p *load.Program) *moduleCalls {
	type key struct{}
	return load.Keep(p, key{}, func() *moduleCalls { return newModuleCalls(p) })
}

func newModuleCalls(p *load.Program) *moduleCalls {
	c := &moduleCalls{byName: map[types.Object][]ssa.CallInstruction{},
		invokes: map[string][]ssa.CallInstruction{}, values: map[string][]*types.Func{}}
	for _, pkg := range p.Imported() {
		if !p.InModule(pkg.Pkg.Path()) {
			continue
		}
		for _, fn := range load.DeclaredIn(pkg) {
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					c.add(instr)
				}
			}
		}
	}
	return c
}

func (c *moduleCalls) add(instr ssa.Instruction) {
	var called ssa.Value
	if call, ok := instr.(ssa.CallInstruction); ok {
		common := call.Common()
		if common.IsInvoke() {
			c.invokes[common.Method.Name()] = append(c.invokes[common.Method.Name()], call)
		} else if callee := originOf(common.StaticCallee()); callee != nil && callee.Object() != nil {
			c.byName[callee.Object()] = append(c.byName[callee.Object()], call)
			called = common.Value
		}
	}
	for _, v := range instr.Operands(nil) {
		if fn, ok := (*v).(*ssa.Function); ok && *v != called {
			if of, ok := originOf(fn).Object().(*types.Func); ok {
				c.values[of.Name()] = append(c.values[of.Name()], of)
			}
		}
	}
}

// of returns the calls of a function, and those of a method with its name of an interface that its receiver has.
func (c *moduleCalls) of(fn *types.Func) []ssa.CallInstruction {
	all := slices.Clone(c.byName[fn.Origin()])
	recv := fn.Signature().Recv()
	if recv == nil {
		return all
	}
	for _, call := range c.invokes[fn.Name()] {
		if has(recv.Type(), call.Common().Value.Type()) {
			all = append(all, call)
		}
	}
	return all
}

// has tells whether a type has the methods of an interface.
func has(t, of types.Type) bool {
	i, ok := of.Underlying().(*types.Interface)
	return ok && types.Implements(t, i)
}

// isValue tells whether a function is used otherwise than by calls, itself or as the method of an interface.
func (c *moduleCalls) isValue(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return slices.ContainsFunc(c.values[fn.Name()], func(used *types.Func) bool {
		of := used.Signature().Recv()
		return used == fn.Origin() || recv != nil && of != nil && has(recv.Type(), of.Type())
	})
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
	for _, call := range moduleCallsOf(w.loaded).of(fn) {
		if outermost := knowledge.Outermost(call.Parent()); outermost.Pkg == nil || outermost.Pkg.Pkg != fn.Pkg() {
			isCalled = true
			isOutside = isOutside || !knowledge.TakesLock(outermost)
		}
	}
	return isCalled, isOutside
}
