// Package share has a method that writes with the lock for reading.
package share

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu   sync.RWMutex
	a, b int
}

// Set sets both.
func (p *Pair) Set(n int) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.a = n
	p.b = n
}

// Get returns both.
func (p *Pair) Get() (a, b int) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.a, p.b
}
