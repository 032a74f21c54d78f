// Package reader makes objects of what it is handed, if it is of a kind that it knows.
package reader

import (
	"errors"
	"sync"
)

// Counter counts.
type Counter struct {
	mu sync.Mutex
	n  int
}

// From returns a counter that begins with a number.
func From(v any) (*Counter, error) {
	n, ok := v.(int)
	if !ok {
		return nil, errors.New("no number")
	}
	return &Counter{n: n}, nil
}

// New returns a counter that begins with zero.
func New() *Counter { return &Counter{} }

// Add counts. It lets go of the lock in between.
func (c *Counter) Add() {
	c.mu.Lock()
	n := c.n
	c.mu.Unlock()
	c.mu.Lock()
	c.n = n + 1
	c.mu.Unlock()
}
