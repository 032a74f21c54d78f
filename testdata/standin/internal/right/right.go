// Package right has a pair of numbers that one lock guards.
package right

import "sync"

// Pair is two numbers that are the same.
type Pair struct {
	mu   sync.Mutex
	a, b int
}

// Set sets both.
func (p *Pair) Set(v int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.a, p.b = v, v
}

// IsSame tells whether they are the same.
func (p *Pair) IsSame() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.a == p.b
}
