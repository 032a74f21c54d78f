// Package helper takes the lock in a method for its callers.
package helper

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu   sync.Mutex
	a, b int
}

// Begin takes the lock, and sets one field before.
func (p *Pair) Begin(n int) {
	p.a = n
	p.mu.Lock()
	p.b = n
}

// End releases it.
func (p *Pair) End() { p.mu.Unlock() }

// Get returns both.
func (p *Pair) Get() (a, b int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.a, p.b
}
