// Package join_callback calls a function of the client between two sections, which may call back.
package join_callback

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu       sync.Mutex
	a, b     int
	OnChange func(int)
}

// Set sets both.
func (p *Pair) Set(n int) {
	p.mu.Lock()
	p.a = n
	p.mu.Unlock()
	p.OnChange(n)
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

// New makes a pair.
func New(onChange func(int)) *Pair { return &Pair{OnChange: onChange} }
