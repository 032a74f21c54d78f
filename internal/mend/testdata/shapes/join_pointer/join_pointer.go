// Package join_pointer has a pointer to its lock.
package join_pointer

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu   *sync.Mutex
	a, b int
}

// Set sets both.
func (p *Pair) Set(n int) {
	p.mu.Lock()
	p.a = n
	p.mu.Unlock()
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

// New makes a pair.
func New() *Pair { return &Pair{mu: new(sync.Mutex)} }
