// Package take has a method that reads without the lock.
package take

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu   sync.RWMutex
	a, b int
}

// Set sets both.
func (p *Pair) Set(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.a, p.b = n, n
}

// Get returns both.
func (p *Pair) Get() (a, b int) { return p.a, p.b }
