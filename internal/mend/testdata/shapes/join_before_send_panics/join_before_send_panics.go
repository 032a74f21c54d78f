// Package join_before_send_panics sends when it has set both, and may panic between its sections: the lock would stay held.
package join_before_send_panics

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
	n /= p.scale()
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

func (p *Pair) scale() int { return 0 }
