// Package sums keeps a sum beside its parts. Its type is handed around by value, but one method
// replaces what is in it.
package sums

import "sync"

// Counter counts. Copies count together.
type Counter struct {
	mu  *sync.Mutex
	m   map[string]int
	sum *int
}

// Clear begins anew. Who copies the counter at the same time does not hold the lock.
func (c *Counter) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m = map[string]int{}
	*c.sum = 0
}

// New returns a counter.
func New() Counter { return Counter{&sync.Mutex{}, map[string]int{}, new(int)} }

// Add counts.
func (c Counter) Add(k string, n int) {
	c.mu.Lock()
	c.m[k] += n
	*c.sum += n
	c.mu.Unlock()
}

// Get returns a count and the sum.
func (c Counter) Get(k string) (int, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.m[k], *c.sum
}
