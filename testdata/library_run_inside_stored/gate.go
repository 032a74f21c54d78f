// Package gate is library_run_inside, but what it counts is what it read before the function ran.
package gate

import (
	"errors"
	"sync"
)

// ErrShut is what Do returns once too many functions have failed.
var ErrShut = errors.New("shut")

const most = 2

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
	failed := g.failed
	g.mu.Unlock()
	if failed >= most {
		return ErrShut
	}
	err := f()
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil {
		g.failed = failed + 1
	}
	return err
}
