// Package join_nil may be called with a nil pointer.
package join_nil

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu   sync.Mutex
	a, b int
}

// Set sets both.
func (p *Pair) Set(n int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.a = n
	p.mu.Unlock()
	if p == nil {
		return
	}
	p.mu.Lock()
	p.b = n
	p.mu.Unlock()
}

// Get returns both.
func (p *Pair) Get() (a, b int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.a, p.b
}
