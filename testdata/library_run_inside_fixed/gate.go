// Package gate is library_run_inside for one function at a time.
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

// Do runs f, which must not call Do.
func (g *Gate) Do(f func() error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.failed >= most {
		return ErrShut
	}
	err := f()
	if err != nil {
		g.failed++
	}
	return err
}
