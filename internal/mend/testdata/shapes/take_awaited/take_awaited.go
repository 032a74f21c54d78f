// Package take_awaited has a goroutine that is waited for with the lock held, and accesses fields without it.
package take_awaited

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
	done := make(chan bool)
	go func() {
		p.Get()
		done <- true
	}()
	p.a, p.b = n, n
	<-done
}

// Get returns both.
func (p *Pair) Get() (a, b int) { return p.a, p.b }
