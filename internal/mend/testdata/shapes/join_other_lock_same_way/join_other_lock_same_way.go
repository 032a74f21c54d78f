// Package join_other_lock_same_way takes another lock between two sections, and elsewhere both in the same order.
package join_other_lock_same_way

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

// Sum takes the other lock second.
func (p *Pair) Sum() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.other.Lock()
	defer p.other.Unlock()
	return p.a + p.b + p.c
}
