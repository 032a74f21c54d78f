// Package join_wait waits for a goroutine between two sections.
package join_wait

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
	p.wait()
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

// Start adds in another goroutine.
func (p *Pair) Start() {
	p.group.Add(1)
	go func() {
		defer p.group.Done()
		p.Set(1)
	}()
}

func (p *Pair) wait() { p.group.Wait() }
