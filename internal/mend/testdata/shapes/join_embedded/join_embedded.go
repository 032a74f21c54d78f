// Package join_embedded has an embedded lock.
package join_embedded

import "sync"

// Pair has two fields that belong together.
type Pair struct {
	sync.Mutex
	a, b int
}

// Set sets both.
func (p *Pair) Set(n int) {
	p.Lock()
	p.a = n
	p.Unlock()
	p.Lock()
	p.b = n
	p.Unlock()
}

// Get returns both.
func (p *Pair) Get() (a, b int) {
	p.Lock()
	defer p.Unlock()
	return p.a, p.b
}
