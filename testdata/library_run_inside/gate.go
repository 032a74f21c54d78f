// Package gate runs functions until too many have failed in a row.
package gate

import (
	"errors"
	"sync"
)

// ErrShut is what Do returns once too many functions have failed.
var ErrShut = errors.New("shut")

const most = 1

// Gate counts failures.
type Gate struct {
	mu     sync.Mutex
	failed int
}

// New returns a gate.
func New() *Gate { return &Gate{} }

// Do runs f, which may take its time, and may call Do itself.
func (g *Gate) Do(f func() error) error {
	g.mu.Lock()
	shut := g.failed >= most
	g.mu.Unlock()
	if shut {
		return ErrShut
	}
	err := f()
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil {
		g.failed++
	}
	return err
}
