// Package share_nested has a method that writes with the lock for reading, and calls what takes that, too.
package share_nested

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
	p.next().sum()
}

func (p *Pair) next() *Pair { return p }

func (p *Pair) sum() int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.a + p.b
}

// Get returns both.
func (p *Pair) Get() (a, b int) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.a, p.b
}
