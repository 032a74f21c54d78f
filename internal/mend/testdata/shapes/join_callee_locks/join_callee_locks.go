// Package join_callee_locks calls what takes the lock between two sections.
package join_callee_locks

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu   sync.Mutex
	a, b int
	last int
}

// Set sets both.
func (p *Pair) Set(n int) {
	p.mu.Lock()
	p.a = n
	p.mu.Unlock()
	p.log(n)
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

func (p *Pair) log(n int) {
	p.mu.Lock()
	p.last = n
	p.mu.Unlock()
}
