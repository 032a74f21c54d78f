// Package open has a pair of numbers that who imports it can name.
package open

import "sync"

// Pair is two numbers that are the same.
type Pair struct {
	mu   sync.Mutex
	A, B int
}

// Set sets both.
func (p *Pair) Set(v int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.A, p.B = v, v
}

// IsSame tells whether they are the same.
func (p *Pair) IsSame() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.A == p.B
}
