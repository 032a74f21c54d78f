// Package join_receive receives between two sections.
package join_receive

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu    sync.Mutex
	a, b  int
	ready chan bool
}

// Set sets both.
func (p *Pair) Set(n int) {
	p.mu.Lock()
	p.a = n
	p.mu.Unlock()
	<-p.ready
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
func New() *Pair { return &Pair{ready: make(chan bool, 1)} }
