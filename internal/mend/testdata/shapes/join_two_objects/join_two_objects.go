// Package join_two_objects takes the lock of another object of the type between two sections.
package join_two_objects

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu   sync.Mutex
	a, b int
	c    int
}

// Set sets both.
func (p *Pair) Set(n int, other *Pair) {
	p.mu.Lock()
	p.a = n
	p.mu.Unlock()
	other.mu.Lock()
	other.c++
	other.mu.Unlock()
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
