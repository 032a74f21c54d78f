// Package join_interface calls a method of an interface of the client between two sections.
package join_interface

import (
	"io"
	"sync"
)

// Pair has two fields that belong together.
type Pair struct {
	mu   sync.Mutex
	a, b int
	to   io.Writer
}

// Set sets both.
func (p *Pair) Set(n int) {
	p.mu.Lock()
	p.a = n
	p.mu.Unlock()
	p.to.Write([]byte{1})
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

// New makes a pair.
func New(to io.Writer) *Pair { return &Pair{to: to} }
