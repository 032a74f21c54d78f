package knowledge

import "golang.org/x/tools/go/ssa"

// containers is the methods of the concurrent containers of package sync: each is one
// indivisible access to the field that the container is. What a Pool hands out is any
// of its items, so that its operations commute like increments.
var containers = map[string]Effect{
	"(*sync.Map).Load":             {Reads: true},
	"(*sync.Map).Range":            {Reads: true, CallsBack: true},
	"(*sync.Map).Store":            {Writes: true},
	"(*sync.Map).Delete":           {Writes: true},
	"(*sync.Map).Clear":            {Writes: true},
	"(*sync.Map).LoadOrStore":      {Reads: true, Writes: true},
	"(*sync.Map).LoadAndDelete":    {Reads: true, Writes: true},
	"(*sync.Map).Swap":             {Reads: true, Writes: true},
	"(*sync.Map).CompareAndSwap":   {Reads: true, Writes: true, MayFail: true},
	"(*sync.Map).CompareAndDelete": {Reads: true, Writes: true, MayFail: true},
	"(*sync.Pool).Get":             {Reads: true, Writes: true, Commutes: true, CallsBack: true},
	"(*sync.Pool).Put":             {Reads: true, Writes: true, Commutes: true},
}

// containerEffect returns the effect of a method of a concurrent container.
func containerEffect(fn *ssa.Function) (Effect, bool) {
	effect, ok := containers[Name(fn)]
	effect.Atomic, effect.First = true, true
	return effect, ok
}

// IsAtomic tells whether fn is an operation of package sync/atomic.
func IsAtomic(fn *ssa.Function) bool { return packagePath(fn) == "sync/atomic" }

// IsTold tells whether what fn does to memory is told where the functions of package
// sync and sync/atomic are called: it is one of those, or the inside of a sync.Map.
func IsTold(fn *ssa.Function) bool {
	switch packagePath(fn) {
	case "internal/sync":
		return true
	case "sync", "sync/atomic":
		_, ok := Accesses(fn)
		return ok
	}
	return false
}
