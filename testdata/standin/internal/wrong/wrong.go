// Package wrong has a pair of numbers that are read at two moments.
package wrong

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

// IsSame tells whether they are the same, as they were at two moments.
func (p *Pair) IsSame() bool {
	p.mu.Lock()
	a := p.a
	p.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	return a == p.b
}
