// Package level has named levels: the methods are those of an interface that is embedded.
package level

import "sync"

// Level can be raised.
type Level interface {
	Raise()
	Value() int
}

type plain struct {
	mu      sync.Mutex
	value   int
	changes int
}

func (p *plain) Raise() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.value++
	p.changes++
}

func (p *plain) Value() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.value
}

// Named is a level with a name.
type Named struct {
	Level
	name string
}

// New returns a level with a name.
func New(name string) *Named {
	return &Named{&plain{}, name}
}

// Name returns the name.
func (n *Named) Name() string { return n.name }
