// Package library_cancel_handed_out_fixed: who makes a counter is handed what ends it, and calls that in the end.
package library_cancel_handed_out_fixed

import (
	"context"
	"sync"
)

// Counter counts.
type Counter struct {
	mu sync.Mutex
	n  int
}

// New makes a counter, and returns what ends it.
func New() (*Counter, context.CancelFunc) {
	c := &Counter{}
	ctx, cancel := context.WithCancel(context.Background())
	go c.clear(ctx)
	return c, cancel
}

// Add counts up.
func (c *Counter) Add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

func (c *Counter) clear(ctx context.Context) {
	<-ctx.Done()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n = 0
}
