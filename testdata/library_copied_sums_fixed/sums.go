// Package sums keeps a sum beside its parts. Its type is handed around by value: what is in it is shared.
package sums

import "sync"

// Counter counts. Copies count together.
type Counter struct {
	mu  *sync.Mutex
	m   map[string]int
	sum *int
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
