// Package counter is a library that calls functions of its clients.
package counter

import "sync"

// Counter is a number and how often it was changed.
type Counter struct {
	mu      sync.Mutex
	n       int
	changes int
}

// Update sets the number to what f makes of it.
func (c *Counter) Update(f func(int) int) {
	c.mu.Lock()
	n := c.n
	c.mu.Unlock()
	n = f(n) // may use the counter, and others may
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n = n
	c.changes++
}

// Get returns the number.
func (c *Counter) Get() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}
