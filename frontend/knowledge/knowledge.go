// Package knowledge is what the front end knows about library functions, as
// tables: locks, joins, atomic operations, functions that read what they are
// handed. A function in a table is modelled by its entry; its body is not entered.
package knowledge

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// LockOp is an operation on a lock.
type LockOp uint8

const (
	Lock LockOp = iota
	Unlock
	RLock
	RUnlock
	TryLock
	TryRLock

	// Of variables that are used as locks: see package spinlock.
	SwapLock  // TryLock that returns what there was before
	TryUnlock // releases the lock if it is held, and says whether
	Reset     // releases the lock if it is held
)

// IsTaking tells whether the operation may take a lock.
func (op LockOp) IsTaking() bool {
	switch op {
	case Unlock, RUnlock, TryUnlock, Reset:
		return false
	}
	return true
}

// locks is the operations on locks, by ssa.Function.String.
var locks = map[string]LockOp{
	"(*sync.Mutex).Lock":       Lock,
	"(*sync.Mutex).Unlock":     Unlock,
	"(*sync.Mutex).TryLock":    TryLock,
	"(*sync.RWMutex).Lock":     Lock,
	"(*sync.RWMutex).Unlock":   Unlock,
	"(*sync.RWMutex).TryLock":  TryLock,
	"(*sync.RWMutex).RLock":    RLock,
	"(*sync.RWMutex).RUnlock":  RUnlock,
	"(*sync.RWMutex).TryRLock": TryRLock,
	"(*sync.rlocker).Lock":     RLock,
	"(*sync.rlocker).Unlock":   RUnlock,
}

// LockOperation tells which operation on a lock fn is, if any.
func LockOperation(fn *ssa.Function) (LockOp, bool) {
	op, ok := locks[syncName(fn)]
	return op, ok
}

// WaitGroupOp is an operation on a sync.WaitGroup.
type WaitGroupOp uint8

const (
	Add WaitGroupOp = iota
	Done
	Wait
	Go
	TryGo // starts the goroutine, or says that it does not
)

// waitGroups is the operations on wait groups.
var waitGroups = map[string]WaitGroupOp{
	"(*sync.WaitGroup).Add":  Add,
	"(*sync.WaitGroup).Done": Done,
	"(*sync.WaitGroup).Wait": Wait,
	"(*sync.WaitGroup).Go":   Go,

	"(*golang.org/x/sync/errgroup.Group).Go":    Go,
	"(*golang.org/x/sync/errgroup.Group).TryGo": TryGo,
	"(*golang.org/x/sync/errgroup.Group).Wait":  Wait,
}

// WaitGroupOperation tells which operation on a wait group fn is, if any.
func WaitGroupOperation(fn *ssa.Function) (WaitGroupOp, bool) {
	op, ok := waitGroups[syncName(fn)]
	return op, ok
}

// IsOperation tells whether fn is itself an operation on a lock, semaphore or wait
// group.
func IsOperation(fn *ssa.Function) bool {
	if _, ok := LockOperation(fn); ok {
		return true
	}
	if _, ok := SemaphoreOperation(fn); ok {
		return true
	}
	_, ok := WaitGroupOperation(fn)
	return ok
}

// NeverPanics tells whether fn is a function of the standard library that only lets
// time pass or looks at the clock.
func NeverPanics(fn *ssa.Function) bool {
	switch fn.String() {
	case "runtime.Gosched", "time.Sleep", "time.Now", "time.Since", "time.Until":
		return true
	}
	return false
}

// CallsBackOnly tells whether fn belongs to a package that is modelled by what it
// calls back: it formats or encodes what it is handed, or serves requests.
func CallsBackOnly(fn *ssa.Function) bool {
	path := packagePath(fn)
	if obj := fn.Object(); path == "" && obj != nil && obj.Pkg() != nil {
		path = obj.Pkg().Path()
	}
	switch path {
	case "net", "net/http", "net/http/httptest", "net/http/internal", "net/http/internal/http2", "net/rpc", "crypto/tls":
		return true
	}
	return isPrintingPackage(path)
}

// IsPrinting tells whether fn belongs to a package that formats or encodes what it
// is handed, or is a wrapper of a method of such a package.
func IsPrinting(fn *ssa.Function) bool {
	path := packagePath(fn)
	if obj := fn.Object(); path == "" && obj != nil && obj.Pkg() != nil {
		path = obj.Pkg().Path()
	}
	return isPrintingPackage(path)
}

func isPrintingPackage(path string) bool {
	return printers[path] != nil
}

// Printers returns the names of the methods that the package of a formatting or
// encoding function calls on a value in place of reading its fields.
func Printers(fn *ssa.Function) []string {
	switch packagePath(fn) {
	case "fmt", "log":
		return []string{"Format", "Error", "String", "GoString"}
	case "log/slog":
		return []string{"LogValue", "Error", "String", "MarshalJSON", "MarshalText"}
	}
	switch packagePath(fn) {
	case "encoding/xml":
		return []string{"MarshalXML", "MarshalText"}
	case "encoding/gob":
		return []string{"GobEncode", "MarshalBinary", "MarshalText"}
	}
	return []string{"MarshalJSON", "MarshalText"}
}

// IsOnce tells whether fn is sync.Once.Do.
func IsOnce(fn *ssa.Function) bool { return syncName(fn) == "(*sync.Once).Do" }

// IsSynchronisation tells whether fn is declared in a package whose functions are
// modelled as a whole. Wrappers (a promoted or bound method) are declared nowhere.
func IsSynchronisation(fn *ssa.Function) bool {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg == nil {
		return false
	}
	switch fn.Pkg.Pkg.Path() {
	case "sync", "sync/atomic", "internal/sync", "internal/race", "runtime", "internal/runtime/atomic":
		return true
	}
	return false
}

// IsWrapperOfCallback tells whether fn starts, calls or wraps what it is handed, or
// makes a synchronisation object, and is small: analysed once per call, it does not
// merge what its callers hand it.
func IsWrapperOfCallback(fn *ssa.Function) bool {
	full := syncName(fn)
	switch packagePath(fn) {
	case "testing", "context":
		full = Name(fn)
	}
	switch full {
	case "context.WithCancel", "context.withCancel":
		return true
	case "(*sync.WaitGroup).Go", "(*sync.Once).Do", "(*sync.Once).doSlow",
		"(*testing.T).Run", "(*testing.T).modelRun", "(*testing.T).modelRunParallel", "(*testing.B).Run", "(*testing.B).RunParallel",
		"(*testing.common).Cleanup", "testing.ModelFinish", "testing.ModelFinishT", "testing.ModelFinishB", "testing.ModelFinishF",
		"sync.OnceFunc", "sync.OnceValue", "sync.OnceValues", "sync.NewCond", "(*sync.RWMutex).RLocker",
		"(*golang.org/x/sync/errgroup.Group).Go", "(*golang.org/x/sync/errgroup.Group).TryGo",
		"golang.org/x/sync/errgroup.WithContext", "golang.org/x/sync/semaphore.NewWeighted":
		return true
	}
	return false
}

// IsHelper tells whether fn is of a package whose functions work on nothing but what they
// are handed: analysed once per call from outside of the package, they do not merge that.
func IsHelper(fn *ssa.Function) bool {
	if recv := fn.Signature.Recv(); recv != nil {
		if _, isPointer := recv.Type().Underlying().(*types.Pointer); isPointer {
			return false // it may keep something
		}
	}
	switch packagePath(fn) {
	case "slices", "sort", "maps", "encoding/binary", "syscall", "golang.org/x/sys/unix":
		return true
	}
	return false
}

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
	switch path := packagePath(fn); { // names are costly
	case path == "sync/atomic":
		return atomicEffect(fn)
	case path == "sync":
		return containerEffect(fn)
	case isPrintingPackage(path), scanners[path] != nil:
		full := Name(fn)
		if effect, ok := propertyEffect(full); ok {
			return effect, true
		}
		if effect, ok := printEffect(path, full[strings.LastIndex(full, ".")+1:]); ok {
			return effect, true
		}
	case path == "sort", path == "reflect", path == "internal/reflectlite", path == "errors":
		switch Name(fn) {
		case "errors.As": // it stores an error by reflection
			return Effect{Reads: true, Writes: true, Second: true}, true
		case "sort.Slice", "sort.SliceStable", "reflect.Swapper", "internal/reflectlite.Swapper":
			// They swap elements by reflection.
			return Effect{Reads: true, Writes: true, First: true, Repeats: true}, true
		case "reflect.DeepEqual":
			return Effect{Reads: true, Deep: true}, true
		}
	}
	if effect, ok := transferEffect(fn); ok {
		return effect, true
	}
	return opaqueEffect(fn)
}

// atomicEffect classifies the functions of sync/atomic and the methods of its
// types by their names.
func atomicEffect(fn *ssa.Function) (Effect, bool) {
	base := fn.Name()
	if o := fn.Origin(); o != nil {
		base = o.Name()
	}
	switch {
	case strings.HasPrefix(base, "Load"):
		return Effect{Reads: true, Atomic: true, First: true}, true
	case strings.HasPrefix(base, "Store"):
		return Effect{Writes: true, Atomic: true, First: true}, true
	case strings.HasPrefix(base, "Add"):
		return Effect{Reads: true, Writes: true, Atomic: true, First: true, Adds: true}, true
	case strings.HasPrefix(base, "CompareAndSwap"):
		return Effect{Reads: true, Writes: true, Atomic: true, First: true, MayFail: true}, true
	case strings.HasPrefix(base, "Swap"), strings.HasPrefix(base, "And"), strings.HasPrefix(base, "Or"):
		return Effect{Reads: true, Writes: true, Atomic: true, First: true}, true
	}
	return Effect{}, false
}

// printers is, for each package that formats or encodes, what the names of the
// functions that read everything their arguments lead to begin with.
var printers = map[string][]string{
	"fmt":           {"Print", "Fprint", "Sprint", "Append", "Errorf"},
	"log":           {"Print", "Fatal", "Panic", "Output"},
	"log/slog":      {"Debug", "Info", "Warn", "Error", "Log", "With"},
	"encoding/json": {"Marshal", "Encode"},
	"encoding/xml":  {"Marshal", "Encode"},
	"encoding/gob":  {"Encode"},
}

// scanners is the same for functions that also write there.
var scanners = map[string][]string{
	"fmt":           {"Scan", "Fscan", "Sscan"},
	"encoding/json": {"Unmarshal", "Decode"},
	"encoding/xml":  {"Unmarshal", "Decode"},
	"encoding/gob":  {"Decode"},
	"encoding/asn1": {"Unmarshal"},
}

// printEffect knows the functions of the packages that format or encode.
func printEffect(path, base string) (Effect, bool) {
	begins := func(prefix string) bool { return strings.HasPrefix(base, prefix) }
	rest, deep := path == "fmt" && (begins("Fprint") || begins("Fscan")), strings.HasPrefix(path, "encoding/")
	switch {
	case slices.ContainsFunc(printers[path], begins):
		return Effect{Reads: true, Deep: deep, Rest: rest}, true
	case slices.ContainsFunc(scanners[path], begins):
		return Effect{Reads: true, Writes: true, Deep: deep, Rest: rest}, true
	}
	return Effect{}, false
}

// Name returns the name of fn, of its generic origin if it is an instance.
func Name(fn *ssa.Function) string {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn.String()
}

// syncName is Name for the functions of sync and golang.org/x/sync, "" for others:
// it is asked for each call of a program, where making the names takes seconds.
func syncName(fn *ssa.Function) string {
	if path := packagePath(fn); path == "sync" || strings.HasPrefix(path, "golang.org/x/sync/") {
		return Name(fn)
	}
	return ""
}

// packagePath returns the path of the package that declares fn, "" if none does:
// wrappers (promoted and bound methods) call what they are made for.
func packagePath(fn *ssa.Function) string {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg != nil {
		return fn.Pkg.Pkg.Path()
	}
	return ""
}
