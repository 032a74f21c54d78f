// Package join_iterator ranges over a function of the client between two sections.
package join_iterator

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu   sync.Mutex
	a, b int
}

// Set sets both.
func (p *Pair) Set(n int, all func(yield func(int) bool)) {
	p.mu.Lock()
	p.a = n
	p.mu.Unlock()
	for i := range all {
		n += i
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
