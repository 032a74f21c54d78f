// Package join_deferred_wait defers a wait: it would be under the lock.
package join_deferred_wait

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	mu    sync.Mutex
	a, b  int
	group sync.WaitGroup
}

// Set sets both.
func (p *Pair) Set(n int) {
	p.mu.Lock()
	p.a = n
	p.mu.Unlock()
	p.mu.Lock()
	p.b = n
	p.mu.Unlock()
	defer p.group.Wait()
}

// Get returns both.
func (p *Pair) Get() (a, b int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.a, p.b
}
