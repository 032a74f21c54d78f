// Package limiter is a library whose objects are configured by calls in a chain.
package limiter

import "sync"

// Limiter lets only so many in.
type Limiter struct {
	mu    sync.Mutex
	limit int
	taken int
}

// New returns a limiter that lets nobody in.
func New() *Limiter { return &Limiter{} }

// WithLimit sets how many are let in, and returns the limiter itself.
func (l *Limiter) WithLimit(limit int) *Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limit = limit
	return l
}

// WithMore lets more in.
func (l *Limiter) WithMore(more int) *Limiter {
	l.mu.Lock()
	l.limit += more
	l.mu.Unlock()
	return l
}

// Take takes a place, if there is one.
func (l *Limiter) Take() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken == l.limit {
		return false
	}
	l.taken++
	return true
}

// Clone returns another limiter, with as many places.
func (l *Limiter) Clone() *Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	return &Limiter{limit: l.limit}
}
