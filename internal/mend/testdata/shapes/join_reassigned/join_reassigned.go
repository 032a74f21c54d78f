// Package join_reassigned goes on with another object between its sections.
package join_reassigned

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu   sync.Mutex
	a, b int
	next *Pair
}

// Set sets both.
func (p *Pair) Set(n int) {
	p.mu.Lock()
	p.a = n
	p.mu.Unlock()
	p = p.next
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
