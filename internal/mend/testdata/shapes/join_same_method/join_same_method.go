// Package join_same_method calls a method that takes the lock of another object in its section, and the same method of
// its own object after it.
package join_same_method

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu    sync.Mutex
	a, b  int
	calls int
	next  *Pair
}

// New makes a pair.
func New() *Pair { return &Pair{next: &Pair{}} }

// Set sets both.
func (p *Pair) Set(n int) {
	p.mu.Lock()
	p.a = n
	if p.next != nil {
		p.next.count()
	}
	p.mu.Unlock()
	p.again().count()
	p.mu.Lock()
	p.b = n
	p.mu.Unlock()
}

func (p *Pair) again() *Pair { return p }

func (p *Pair) count() {
	p.mu.Lock()
	p.calls++
	p.mu.Unlock()
}

// Get returns both.
func (p *Pair) Get() (a, b int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.a, p.b
}
