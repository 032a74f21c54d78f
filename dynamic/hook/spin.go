package hook

import (
	"runtime"
	"sync/atomic"
)

// spin is a lock for short sections of the hooks themselves. It is none of package sync, so
// that the program under test never waits in a way that its own code could see.
type spin struct{ held atomic.Bool }

func (s *spin) lock() {
	for !s.held.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
}

func (s *spin) unlock() { s.held.Store(false) }
