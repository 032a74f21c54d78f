package hook

import (
	"runtime"
	"sync/atomic"
)

// spin is a lock for short sections of the hooks themselves. It is none of package sync, so
// that the program under test never waits in a way that its own code could see.
type spin struct{ held atomic.Uint32 }

func (s *spin) lock() {
	for !s.held.CompareAndSwap(0, 1) {
		runtime.Gosched()
	}
}

func (s *spin) unlock() { platformRelease(&s.held) }
