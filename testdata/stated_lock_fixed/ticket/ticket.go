// Package ticket has a lock that lets goroutines in, in the order in which they come.
package ticket

import (
	"runtime"
	"sync/atomic"
)

// Lock is free if as many have left as have come.
type Lock struct{ come, left atomic.Uint32 }

// Enter waits for its turn.
func (l *Lock) Enter() {
	for mine := l.come.Add(1); l.left.Load() != mine-1; {
		runtime.Gosched()
	}
}

// Leave lets the next one in.
func (l *Lock) Leave() { l.left.Add(1) }

// TryEnter enters if nobody is in, and tells whether it has.
func (l *Lock) TryEnter() bool {
	left := l.left.Load()
	return l.come.CompareAndSwap(left, left+1)
}
