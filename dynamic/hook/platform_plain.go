//go:build !empire_runtime

package hook

import (
	"bytes"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"
	"unsafe"
)

// What platform_runtime.go has the runtime say, for this package's own tests.

func platformGoroutine() uint64 {
	var text [64]byte
	fields := bytes.Fields(text[:runtime.Stack(text[:], false)])
	id, _ := strconv.ParseUint(string(fields[1]), 10, 64)
	return id
}

func platformGoroutines([]uint64) int { return -1 }

// plainCycle stands for platformCycle in tests that ask often.
var plainCycle func() uint32

func platformCycle() uint32 {
	if plainCycle != nil {
		return plainCycle()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NumGC
}

func platformNow() int64 { return time.Now().UnixNano() }

func platformPlace(unsafe.Pointer) place { return onHeap }

func platformBase(p unsafe.Pointer) uintptr { return uintptr(p) }

func platformSize(unsafe.Pointer) uintptr { return 1 }

func platformSeed(uint64) {}

func platformAtExit(func()) {}

func platformRelease(word *atomic.Uint32) { word.Store(0) }

func platformPublish(word *atomic.Uint32, n uint32) { word.Store(n) }

const canHush = true

func platformBarrier() {} // operations of package atomic are in one order

func platformForget[T any](word *atomic.Pointer[T]) { word.Store(nil) }
