// Package join_before_send sends when it has set both: the sections are joined, and the send stays outside.
package join_before_send

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu      sync.Mutex
	a, b    int
	changed chan int
}

// Set sets both.
func (p *Pair) Set(n int) {
	p.mu.Lock()
	p.a = n
	p.mu.Unlock()
	p.mu.Lock()
	p.b = n
	p.mu.Unlock()
	p.changed <- n
}

// Get returns both.
func (p *Pair) Get() (a, b int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.a, p.b
}

// New makes a pair.
func New() *Pair { return &Pair{changed: make(chan int)} }

// Changed waits for a change.
func (p *Pair) Changed() int { return <-p.changed }
