package hook

import (
	"runtime"
	"sync/atomic"
)

// spin is a lock for short sections of the hooks themselves. It is none of package sync, so
// that the program under test never waits in a way that its own code could see.
type spin struct{ held atomic.Uint32 }

func (s *spin) lock() {
	if !s.held.CompareAndSwap(0, 1) {
		s.wait()
	}
}

// wait is lock where somebody has it. Sections are so short that it mostly pays to look again: to go behind all others
// takes the lock of the scheduler, for which everybody then waits.
func (s *spin) wait() {
	for {
		for range looks {
			if s.held.Load() == 0 && s.held.CompareAndSwap(0, 1) {
				return
			}
		}
		runtime.Gosched()
	}
}

// looks is how often a goroutine looks at a lock before it lets others run.
const looks = 100

func (s *spin) unlock() { platformRelease(&s.held) }
