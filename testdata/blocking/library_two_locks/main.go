// Package library_two_locks: Move locks two boxes in the order in which it is handed them.
package library_two_locks

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
	to.mu.Lock() // want deadlock
	to.n += n
	to.mu.Unlock()
	b.mu.Unlock()
}
