// Package take_copy has a method on a copy, whose lock is another one.
package take_copy

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu   *sync.Mutex
	a, b *int
}

// New makes a pair.
func New() *Pair { return &Pair{mu: new(sync.Mutex), a: new(int), b: new(int)} }

// Set sets both.
func (p *Pair) Set(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.a, p.b = &n, &n
}

// Get returns both.
func (p Pair) Get() (a, b int) { return *p.a, *p.b }
