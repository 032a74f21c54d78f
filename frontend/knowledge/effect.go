package knowledge

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Effect is what a library function does to the memory of its arguments.
type Effect struct {
	Reads, Writes bool
	Atomic        bool // as one indivisible step
	Deep          bool // and of everything that it leads to by exported fields
	All           bool // and of everything that it leads to
	Alone         bool // and calls nothing that does more
	Default       bool // nothing is known of the function: see opaque.go
	Repeats       bool // many times
	Adds          bool // atomically adds to a number
	Commutes      bool // the order of two such operations makes no difference
	CallsBack     bool // and calls a function that it was handed
	MayFail       bool // atomically compares, and writes only if equal
	First, Second bool // only the memory of its first argument, or of its second one, else of all
	Rest          bool // of all arguments but the first: that is where it writes to, or reads from, by a method of it
	Bytes         bool // only the memory of arguments that are slices of bytes

	Fills bool // what it writes, it does not read

	Into uint16 // if not 0, it writes only to the memory of the arguments at these positions: a bit set
}

// Operands returns the arguments whose memory is accessed.
func (e Effect) Operands(args []ssa.Value) []ssa.Value {
	if e.Bytes {
		return slices.DeleteFunc(slices.Clone(args), func(v ssa.Value) bool { return !isBytes(v.Type()) })
	}
	switch {
	case e.Rest && len(args) > 1:
		return args[1:]
	case e.First && len(args) > 1:
		return args[:1]
	case e.Second && len(args) > 1:
		return args[1:2]
	case e.All:
		return addresses(args)
	}
	return args
}

// Written returns those of the arguments whose memory is written.
func (e Effect) Written(args []ssa.Value) []ssa.Value {
	if !e.Writes || e.Into == 0 {
		return e.Operands(args)
	}
	var all []ssa.Value
	for i, v := range args {
		if e.Into&(1<<i) != 0 {
			all = append(all, v)
		}
	}
	return addresses(all)
}

// Accesses tells what fn does to the memory of its arguments, if it is in a table.
func Accesses(fn *ssa.Function) (Effect, bool) {
	if effect := Of(fn).Effect; effect.Reads || effect.Writes {
		return effect, true
	}
	switch path := PackagePath(fn); {
	case path == "sync", path == "sync/atomic":
		return Effect{}, false
	}
	if effect, ok := transferEffect(fn); ok {
		return effect, true
	}
	return opaqueEffect(fn)
}

// transferEffect knows the methods Read, Write and the like of packages that hand bytes to
// the operating system, and the system calls behind them.
func transferEffect(fn *ssa.Function) (Effect, bool) {
	pkg, isMethod := libraries[pathBehind(fn)], fn.Signature.Recv() != nil
	isCall := pkg.SystemCalls && !isMethod
	if !isCall && !(pkg.Transfers && isMethod) || !takesBytes(fn) {
		return Effect{}, false
	}
	switch name := strings.ToLower(fn.Name()); {
	case hasPrefix(name, "write", "pwrite"), isCall && hasPrefix(name, "send"):
		return Effect{Reads: true, Bytes: true}, true
	case hasPrefix(name, "read", "pread"), isCall && hasPrefix(name, "recv"):
		return Effect{Writes: true, Bytes: true}, true
	}
	return Effect{}, false
}

// IsToldByCaller tells whether an effect of what fn calls is told where others call fn: on the bytes that it is
// handed, if it hands them to the operating system or gets them from there, and any effect of a system call.
func IsToldByCaller(fn *ssa.Function, effect Effect) bool {
	_, transfers := transferEffect(fn)
	switch path := PackagePath(fn); {
	case effect.Bytes:
		return transfers || path == "internal/poll" // into which nothing else leads with bytes
	case effect.All:
		return transfers && libraries[path].SystemCalls || IsToldAtEntry(fn)
	}
	return false
}

func takesBytes(fn *ssa.Function) bool {
	for p := range fn.Signature.Params().Variables() {
		if isBytes(p.Type()) {
			return true
		}
	}
	return false
}

func isBytes(t types.Type) bool {
	slice, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	element, ok := slice.Elem().Underlying().(*types.Basic)
	return ok && element.Kind() == types.Byte
}

// IsAtomic tells whether fn is an operation of package sync/atomic.
func IsAtomic(fn *ssa.Function) bool { return PackagePath(fn) == "sync/atomic" }

// IsTold tells whether what fn does to memory is told where the functions of package
// sync and sync/atomic are called: it is one of those, or the inside of a sync.Map.
func IsTold(fn *ssa.Function) bool {
	switch PackagePath(fn) {
	case "internal/sync":
		return true
	case "sync", "sync/atomic":
		_, ok := Accesses(fn)
		return ok
	}
	return false
}

// Flow is where a function puts pointers, for points-to analysis, in place of its body:
// containers that hold an unsafe.Pointer are exact so, per call.
type Flow uint8

const (
	FlowOfBody         Flow = iota
	FlowNowhere             // nowhere
	FlowLoad                // the result is what the first argument points to
	FlowStore               // the second argument goes where the first one points to
	FlowSwap                // both
	FlowCompareAndSwap      // the third argument goes there
	FlowReturn              // the result is the first argument
	FlowBox                 // the result is a reflect.Value with the first argument
	FlowUnbox               // the result is what is in the reflect.Value
	FlowAddress             // the result is the address of a part of what the reflect.Value leads to
	FlowPointer             // the result is the reflect.Value with the same pointer
	FlowSet                 // the value in the second reflect.Value goes where the first one points to
	FlowAssert              // the result is what is in the reflect.Value, of a type
	FlowCall                // calls the function in the reflect.Value
	FlowMethods             // the result is a method of what is in the reflect.Value
	FlowFinalizer           // the second argument is called with the first one, at some time
	FlowCleanup             // the second argument is called with the third one, at some time
	FlowTimer               // the third argument is called with the fourth one, at some time
	FlowNumber              // the result is the first argument, which gets an array of its own
	FlowCloneMap            // the result is a new map
)
