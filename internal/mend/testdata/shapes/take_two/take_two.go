// Package take_two has a function that is handed two objects.
package take_two

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu   sync.Mutex
	a, b int
}

// Set sets both.
func (p *Pair) Set(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.a, p.b = n, n
}

// Same compares.
func Same(p, q *Pair) bool { return p.a == q.a && p.b == q.b }
