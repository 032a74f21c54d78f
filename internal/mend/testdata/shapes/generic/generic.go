// Package generic has type parameters.
package generic

import "sync"

// Pair has two fields that belong together.
type Pair[T any] struct {
	mu   sync.Mutex
	a, b T
	set  int
}

// New makes a pair.
func New() *Pair[int] { return &Pair[int]{} }

// Set sets both.
func (p *Pair[T]) Set(v T) {
	p.mu.Lock()
	p.a = v
	p.mu.Unlock()
	p.mu.Lock()
	p.b = v
	p.mu.Unlock()
}

// Get returns both.
func (p *Pair[T]) Get() (a, b T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.a, p.b
}
