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
	defer c.mu.Unlock()
	c.n = f(c.n)
	c.changes++
}

// Visit calls f with the number. The counter may be used in it.
func (c *Counter) Visit(f func(int)) {
	f(c.Get())
}

// Get returns the number.
func (c *Counter) Get() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}
