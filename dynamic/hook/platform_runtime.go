//go:build empire_runtime

package hook

import (
	"internal/goarch"
	runtimeatomic "internal/runtime/atomic"
	"internal/runtime/exithook"
	"sync/atomic"
	"unsafe"
)

// These are in the file that RuntimeSource adds to package runtime.

//go:linkname platformGoroutine runtime.empireGoroutine
func platformGoroutine() uint64

//go:linkname platformGoroutines runtime.empireGoroutines
//go:noescape
func platformGoroutines(ids []uint64) int

//go:linkname runtimeCycle runtime.empireCycle
func runtimeCycle() *uint32

//go:linkname runtimePlace runtime.empirePlace
//go:noescape
func runtimePlace(p unsafe.Pointer) uint8

//go:linkname runtimeBase runtime.empireBase
//go:noescape
func runtimeBase(p unsafe.Pointer) uintptr

//go:linkname runtimeSize runtime.empireSize
//go:noescape
func runtimeSize(p unsafe.Pointer) uintptr

//go:linkname platformSeed runtime.empireSeed
func platformSeed(n uint64)

// platformNow is a time in nanoseconds since some beginning.
//
//go:linkname platformNow runtime.nanotime
func platformNow() int64

var cycle = runtimeCycle()

func platformCycle() uint32 { return *cycle }

func platformPlace(p unsafe.Pointer) place { return place(runtimePlace(p)) }

func platformBase(p unsafe.Pointer) uintptr { return runtimeBase(p) }

func platformSize(p unsafe.Pointer) uintptr { return runtimeSize(p) }

func platformAtExit(f func()) { exithook.Add(exithook.Hook{F: f, RunOnFailure: true}) }

// platformRelease stores 0 with what was stored before, which is cheaper than an atomic operation that is seen in
// one order with all others. On amd64 any store is such a one, while the operation of package atomic is an exchange,
// which costs as much as taking a lock.
func platformRelease(word *atomic.Uint32) {
	if goarch.IsAmd64 == 1 {
		*(*uint32)(unsafe.Pointer(word)) = 0
		return
	}
	runtimeatomic.StoreRel((*uint32)(unsafe.Pointer(word)), 0)
}

// platformForget stores nil, likewise.
func platformForget[T any](word *atomic.Pointer[T]) {
	if goarch.IsAmd64 == 1 {
		*(**T)(unsafe.Pointer(word)) = nil
		return
	}
	word.Store(nil)
}

// platformPublish stores a number with what was stored before, likewise.
func platformPublish(word *atomic.Uint32, n uint32) {
	if goarch.IsAmd64 == 1 {
		*(*uint32)(unsafe.Pointer(word)) = n
		return
	}
	runtimeatomic.StoreRel((*uint32)(unsafe.Pointer(word)), n)
}

// canHush tells whether goroutines may note what they do while they hold a lock, see reduce_quiet.go.
var canHush = registerBarrier()

// platformBarrier lets each other processor that runs the program carry out a memory barrier: what it has stored before
// is seen behind it, and what it loads afterwards is what was stored before it.
func platformBarrier() { barrier() }
