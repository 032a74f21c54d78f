// Package join_closure releases the lock in a function literal.
package join_closure

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu   sync.Mutex
	a, b int
}

// Set sets both.
func (p *Pair) Set(n int) {
	p.mu.Lock()
	p.a = n
	func() { p.mu.Unlock() }()
	p.mu.Lock()
	p.b = n
	func() { p.mu.Unlock() }()
}

// Get returns both.
func (p *Pair) Get() (a, b int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.a, p.b
}
