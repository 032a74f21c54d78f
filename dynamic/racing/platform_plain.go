package racing

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// What package runtime gives, for the tests of this package.

type offHeap struct{}

var raceMapped struct {
	sync.Mutex
	all [][]uint64
}

// raceMap is new memory; nil if there is none.
func raceMap(size uintptr) unsafe.Pointer {
	memory := make([]uint64, (size+7)/8)
	raceMapped.Lock()
	defer raceMapped.Unlock()
	raceMapped.all = append(raceMapped.all, memory)
	return unsafe.Pointer(&memory[0])
}

func raceHold(word *uint32) {
	for !atomic.CompareAndSwapUint32(word, 0, 1) {
		runtime.Gosched()
	}
}

// racePublish lets others see what was stored before it, if they see what is stored behind it.
func racePublish() {}

func raceLoose(word *uint32) { atomic.StoreUint32(word, 0) }

// raceFound is called with each pair of accesses in a race.
var raceFound = func(t *raceThread, what uint64, isWrite bool, at uint32, first raceItem) {}
