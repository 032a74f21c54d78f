// Package take_write has a method that writes without the lock: the lock for reading is not enough.
package take_write

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu   sync.RWMutex
	a, b int
}

// Set sets both.
func (p *Pair) Set(n int) {
	p.a = n
	p.b = n
}

// Get returns both.
func (p *Pair) Get() (a, b int) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.a, p.b
}
