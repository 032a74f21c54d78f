// Package join_once runs something once between two sections.
package join_once

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu   sync.Mutex
	a, b int
	once sync.Once
	c    int
}

// Set sets both.
func (p *Pair) Set(n int) {
	p.mu.Lock()
	p.a = n
	p.mu.Unlock()
	p.once.Do(p.fill)
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

func (p *Pair) fill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.c = 1
}
