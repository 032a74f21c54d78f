// Package library_cancel_handed_out: the goroutine of a counter waits for another context than the one that ends when
// clients call what they are handed.
package library_cancel_handed_out

import (
	"context"
	"sync"
)

// Counter counts.
type Counter struct {
	mu  sync.Mutex
	n   int
	end context.CancelFunc // BUG: nobody calls it
}

// New makes a counter, and returns what ends it.
func New() (*Counter, context.CancelFunc) {
	c := &Counter{}
	own, end := context.WithCancel(context.Background())
	c.end = end
	_, cancel := context.WithCancel(own)
	go c.clear(own)
	return c, cancel
}

// Add counts up.
func (c *Counter) Add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

func (c *Counter) clear(ctx context.Context) {
	<-ctx.Done() // want blocked
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n = 0
}
