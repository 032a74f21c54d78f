// Package take_called_with_lock has a function that a caller calls with the lock held, and another one without it.
package take_called_with_lock

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu   sync.Mutex
	a, b int
}

// Set sets both.
func (p *Pair) Set(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.a, p.b = n, n
	p.Get()
}

// Get returns both.
func (p *Pair) Get() (a, b int) { return p.a, p.b }
