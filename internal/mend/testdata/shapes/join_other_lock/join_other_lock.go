// Package join_other_lock takes another lock between two sections, and elsewhere both the other way round.
package join_other_lock

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu    sync.Mutex
	a, b  int
	other sync.Mutex
	c     int
}

// Set sets both.
func (p *Pair) Set(n int) {
	p.mu.Lock()
	p.a = n
	p.mu.Unlock()
	p.other.Lock()
	p.c++
	p.other.Unlock()
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

// Sum takes the other lock first.
func (p *Pair) Sum() int {
	p.other.Lock()
	defer p.other.Unlock()
	a, b := p.Get()
	return a + b + p.c
}
