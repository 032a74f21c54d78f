// Package tally counts, on a tally of one's own or on the default one.
package tally

import "sync"

// Tally counts.
type Tally struct {
	mu sync.Mutex
	n  int
}

var standard = New()

// New returns a tally.
func New() *Tally {
	return &Tally{}
}

// Count counts one more on the default tally.
func Count() {
	standard.mu.Lock()
	defer standard.mu.Unlock()
	standard.n++
}

// Total returns what Count has counted.
func Total() int {
	return standard.Total()
}

// Reset begins again.
func (t *Tally) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n = 0
}

// Total returns what has been counted.
func (t *Tally) Total() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n
}
