// Package library_two_locks_fixed: the mended library_two_locks.
package library_two_locks_fixed

import (
	"sync"
)

// Box holds a number.
type Box struct {
	mu sync.Mutex
	n  int
}

// Move moves what is in one box to another one.
func (b *Box) Move(to *Box) {
	if b == to {
		return
	}
	b.mu.Lock()
	n := b.n
	b.n = 0
	b.mu.Unlock()
	to.mu.Lock()
	to.n += n
	to.mu.Unlock()
}
