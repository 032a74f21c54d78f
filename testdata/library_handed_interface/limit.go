// Package limit is a library whose counter clients get as an interface, from a method that changes nothing.
package limit

import "sync"

// Counter counts.
type Counter interface {
	Increment() int
	Get() int
}

// Limiter has a counter.
type Limiter struct{ counter Counter }

// New returns a limiter.
func New() *Limiter { return &Limiter{new(local)} }

// Counter returns the counter.
func (l *Limiter) Counter() Counter { return l.counter }

type local struct {
	mu sync.Mutex
	n  int
}

// Increment reads in one critical section, and writes in the next: two of them can count one.
func (l *local) Increment() int {
	n := l.Get() + 1
	l.mu.Lock()
	l.n = n
	l.mu.Unlock()
	return n
}

func (l *local) Get() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}
