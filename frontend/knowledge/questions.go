package knowledge

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// LockOperation tells which operation on a lock fn is, if any.
func LockOperation(fn *ssa.Function) (LockOp, bool) {
	op := Of(fn).Lock
	return op, op != NoLock
}

// SemaphoreOperation tells which operation on a weighted semaphore fn is, if any,
// as one on a lock.
func SemaphoreOperation(fn *ssa.Function) (LockOp, bool) {
	op := Of(fn).Semaphore
	return op, op != NoLock
}

// WaitGroupOperation tells which operation on a wait group fn is, if any; the limit of a
// group is none of them.
func WaitGroupOperation(fn *ssa.Function) (WaitGroupOp, bool) {
	op := Of(fn).Group
	return op, op != NoGroup && op != SetLimit
}

// FlightOperation tells which operation on a singleflight.Group fn is, if any.
func FlightOperation(fn *ssa.Function) (FlightOp, bool) {
	op := Of(fn).Flight
	return op, op != NoFlight
}

// IsOperation tells whether fn is itself an operation on a lock, semaphore or wait
// group.
func IsOperation(fn *ssa.Function) bool {
	row := Of(fn)
	return row.Lock != NoLock || row.Semaphore != NoLock || row.Group != NoGroup && row.Group != SetLimit
}

// IsCondWait tells whether fn is sync.Cond.Wait.
func IsCondWait(fn *ssa.Function) bool { return Of(fn).Cond == CondWait }

// IsOnce tells whether fn is sync.Once.Do.
func IsOnce(fn *ssa.Function) bool { return Of(fn).Once }

// IsRLocker tells whether fn is sync.RWMutex.RLocker.
func IsRLocker(fn *ssa.Function) bool { return Of(fn).Makes == ReadLocker }

// IsSetLimit tells whether fn is errgroup.Group.SetLimit.
func IsSetLimit(fn *ssa.Function) bool { return Of(fn).Group == SetLimit }

// IsNewGroup tells whether fn is errgroup.WithContext.
func IsNewGroup(fn *ssa.Function) bool { return Of(fn).Makes == NewGroup }

// OperatesByReflection tells whether fn operates on the channel in a reflect.Value.
func OperatesByReflection(fn *ssa.Function) bool { return Of(fn).Channel }

// RunsOnce tells whether fn runs its last argument once, on another goroutine, or not at all.
func RunsOnce(fn *ssa.Function) bool {
	row := Of(fn)
	return row.Group == Go || row.Group == TryGo ||
		len(row.Starts) == 1 && !row.Starts[0].Often && row.Starts[0].AgainBy == ""
}

// Pauses tells whether fn only lets time pass, or others run.
func Pauses(fn *ssa.Function) bool {
	op := Of(fn).Time
	return op == Sleep || op == Yield
}

// NeverPanics tells whether fn is a function of the standard library that only lets
// time pass or looks at the clock.
func NeverPanics(fn *ssa.Function) bool {
	switch Of(fn).Time {
	case Sleep, Yield, Now, Since, Until:
		return true
	}
	return false
}

// SemaphoreSize returns the size of the semaphore that the call makes; ok is false if it
// makes none, or one of a size that is not constant.
func SemaphoreSize(call *ssa.CallCommon) (size int64, ok bool) {
	if fn := call.StaticCallee(); fn == nil || Of(fn).Makes != NewSemaphore {
		return 0, false
	}
	return constantOf(call.Args[0])
}

// Weight returns the weight of an operation on a semaphore, if it is constant.
func Weight(call *ssa.CallCommon) (weight int64, ok bool) {
	return constantOf(call.Args[len(call.Args)-1])
}

func constantOf(v ssa.Value) (int64, bool) {
	k, ok := v.(*ssa.Const)
	if !ok || k.Value == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(k.Value))
}

// Makes tells whether the value is what a call of a function returns that makes something.
func Makes(v ssa.Value, what MakeOp) bool {
	call, ok := v.(*ssa.Call)
	return ok && !call.Call.IsInvoke() && Called(&call.Call).Makes == what
}

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
	if fn := call.StaticCallee(); fn != nil && Of(fn).Makes == DoneError {
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
	return call.IsInvoke() && call.Method.Name() == name &&
		call.Method.Pkg() != nil && call.Method.Pkg().Path() == "context"
}

// IsBackground tells whether v is a context that is never done.
func IsBackground(v ssa.Value) bool { return Makes(v, NoDeadline) }

// IsCancel tells whether fn is the function that context.WithCancel returns.
func IsCancel(fn *ssa.Function) bool {
	return fn.Parent() != nil && Of(fn.Parent()).Makes == CancelContext
}

// MakesContext tells whether fn makes the context that context.WithCancel returns.
func MakesContext(fn *ssa.Function) bool { return Of(fn).Makes == cancelledInside }

// EndsProgram tells whether a call of fn ends the program, with no deferred call run.
func EndsProgram(fn *ssa.Function) bool { return Of(fn).Ends == ProgramEnd }

// EndsGoroutine tells whether a call of fn ends the goroutine after its deferred calls:
// runtime.Goexit, and what a test calls to give up.
func EndsGoroutine(fn *ssa.Function) bool { return behind(fn).Ends == GoroutineEnd }

// IsTesting tells whether fn is declared in package testing.
func IsTesting(fn *ssa.Function) bool { return PackagePath(fn) == "testing" }

// WaitsForInput tells whether the call is one of a function that blocks until input
// comes.
func WaitsForInput(call *ssa.CallCommon) bool {
	if call.IsInvoke() {
		return OfObject(call.Method).Input
	}
	callee := call.StaticCallee()
	return callee != nil && behind(callee).Input
}

// IsSynchronisation tells whether fn is declared in a package whose functions are
// modelled as a whole. Wrappers (a promoted or bound method) are declared nowhere.
func IsSynchronisation(fn *ssa.Function) bool { return isSynchronising(PackagePath(fn)) }

// Synchronises is IsSynchronisation for a function as the type checker knows it.
func Synchronises(fn *types.Func) bool { return fn.Pkg() != nil && isSynchronising(fn.Pkg().Path()) }

// IsOfClock tells whether fn belongs to a package whose functions wait for nothing but time.
func IsOfClock(fn *ssa.Function) bool { return libraries[PackagePath(fn)].Clock }

// IsWrapperOfCallback tells whether fn starts, calls or wraps what it is handed, or
// makes a synchronisation object, and is small: analysed once per call, it does not
// merge what its callers hand it.
func IsWrapperOfCallback(fn *ssa.Function) bool { return Of(fn).Wraps }

// CallsBackOnly tells whether fn belongs to a package that is modelled by what it
// calls back: it formats or encodes what it is handed, or serves requests.
func CallsBackOnly(fn *ssa.Function) bool {
	p := libraries[pathBehind(fn)]
	return p.Serves || p.Formats != nil
}

// IsPrinting tells whether fn belongs to a package that formats or encodes what it
// is handed, or is a wrapper of a method of such a package.
func IsPrinting(fn *ssa.Function) bool { return isPrintingPackage(pathBehind(fn)) }

// Printers returns the names of the methods that the package of a formatting or
// encoding function calls on a value in place of reading its fields.
func Printers(fn *ssa.Function) []string {
	if names := libraries[PackagePath(fn)].Formats; names != nil {
		return names
	}
	return []string{"MarshalJSON", "MarshalText"}
}

// Forgets tells whether fn is a function that formats its arguments and keeps none.
func Forgets(fn *ssa.Function) bool { return fn.Signature.Recv() == nil && Of(fn).Forgets }

// Name returns the name of fn, of its generic origin if it is an instance.
func Name(fn *ssa.Function) string {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn.String()
}

// IsHelper tells whether fn is of a package whose functions work on nothing but what they
// are handed: analysed once per call from outside of the package, they do not merge that.
func IsHelper(fn *ssa.Function) bool {
	if recv := fn.Signature.Recv(); recv != nil {
		if _, isPointer := recv.Type().Underlying().(*types.Pointer); isPointer {
			return false // it may keep something
		}
	}
	return libraries[PackagePath(fn)].Helps
}

// ContextEnd is how a context that a function makes is ended.
type ContextEnd uint8

const (
	NotEnded ContextEnd = iota
	ByCancel            // by a context.CancelFunc
	ByCause             // by a context.CancelCauseFunc
)

// EndsContext tells whether fn returns a context and the function that ends it, and of which kind that is.
func EndsContext(fn *types.Func) ContextEnd {
	results := fn.Signature().Results()
	if results.Len() != 2 || !IsContext(results.At(0).Type()) {
		return NotEnded
	}
	switch {
	case isNamed(results.At(1).Type(), "context", "CancelFunc"):
		return ByCancel
	case isNamed(results.At(1).Type(), "context", "CancelCauseFunc"):
		return ByCause
	}
	return NotEnded
}

// AsksForError tells whether fn is context.Context.Err.
func AsksForError(fn *types.Func) bool { return isMethodOfContext(fn, "Err") }

// AsksForDone tells whether fn is context.Context.Done.
func AsksForDone(fn *types.Func) bool { return isMethodOfContext(fn, "Done") }

func isMethodOfContext(fn *types.Func, name string) bool {
	recv := fn.Signature().Recv()
	return recv != nil && fn.Name() == name && IsContext(recv.Type())
}

// IsContext tells whether a type is context.Context.
func IsContext(t types.Type) bool { return isNamed(t, "context", "Context") }

// isNamed tells whether a type is one of a package, by its name.
func isNamed(t types.Type, pkg, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == pkg && named.Obj().Name() == name
}

// Outermost returns the function that a function literal is in, or the function itself.
func Outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// TakesLock tells whether there is an operation that may take a lock in a function, or in a literal in it.
func TakesLock(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if callee := call.Common().StaticCallee(); callee != nil {
				if op, ok := LockOperation(callee); ok && op.IsTaking() {
					return true
				}
			} else if call.Common().IsInvoke() && call.Common().Method.Name() == "Lock" {
				return true
			}
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, TakesLock)
}

// ReturnsFinder tells whether a function of the library returns functions that find out a value when they are called:
// by doing something once, or by going on to the next value.
func ReturnsFinder(fn *ssa.Function) bool {
	name := Name(fn)
	return strings.HasPrefix(name, "sync.OnceValue") || strings.HasPrefix(name, "iter.Pull")
}

// Declared returns the functions and methods that a package declares, and its initialisation, without the literals
// in them.
func Declared(pkg *ssa.Package) []*ssa.Function {
	var all []*ssa.Function
	for _, member := range pkg.Members {
		switch member := member.(type) {
		case *ssa.Function:
			all = append(all, member)
		case *ssa.Type:
			if named, ok := member.Type().(*types.Named); ok {
				for method := range named.Methods() {
					all = append(all, pkg.Prog.FuncValue(method))
				}
			}
		}
	}
	return all
}

// Changed returns the variables of which a function of the package does anything but read them, but for what the
// compiler makes to initialise it.
func Changed(pkg *ssa.Package) map[*ssa.Global]bool {
	all := Declared(pkg)
	changed := map[*ssa.Global]bool{}
	for i := 0; i < len(all); i++ {
		fn := all[i]
		if fn == nil {
			continue
		}
		all = append(all, fn.AnonFuncs...)
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if _, isRead := instr.(*ssa.UnOp); isRead {
					continue
				}
				operands := instr.Operands(nil)
				if _, isStore := instr.(*ssa.Store); isStore && fn.Synthetic == "package initializer" {
					operands = operands[1:] // what is stored, and not where
				}
				for _, v := range operands {
					if global, ok := (*v).(*ssa.Global); ok {
						changed[global] = true
					}
				}
			}
		}
	}
	return changed
}
