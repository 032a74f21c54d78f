// Package join_counts has a loop between two sections that ends by itself.
package join_counts

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
	p.mu.Unlock()
	for i := range n {
		n -= i
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
