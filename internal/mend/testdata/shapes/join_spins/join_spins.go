// Package join_spins goes round until another goroutine has done something.
package join_spins

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Pair has two fields that belong together.
type Pair struct {
	mu   sync.Mutex
	a, b int
	done atomic.Bool
}

// Set sets both.
func (p *Pair) Set(n int) {
	p.mu.Lock()
	p.a = n
	p.mu.Unlock()
	for !p.done.Load() {
		runtime.Gosched()
	}
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

// Done ends the wait, once it has the lock.
func (p *Pair) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done.Store(true)
}
