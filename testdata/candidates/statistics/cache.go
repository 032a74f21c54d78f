// Package statistics has a cache that counts what happens to it, and that is set up before
// it is shared.
package statistics

import (
	"sync"
	"sync/atomic"
)

// Counts say what has happened.
type Counts struct{ Hits, Misses int }

// Cache remembers values.
type Cache struct {
	mu     sync.Mutex
	values map[string]int
	newest string

	countsMu sync.Mutex
	counts   Counts

	load  atomic.Int64 // of the last call
	limit int
	calls int
}

// New returns a cache.
func New() *Cache { return &Cache{values: map[string]int{}} }

// Limit says how many values are kept. Call it before the cache is used.
func (c *Cache) Limit(n int) *Cache {
	c.limit = n
	return c
}

// Get returns a value.
func (c *Cache) Get(key string) (int, bool) {
	c.mu.Lock()
	v, ok := c.values[key]
	c.load.Store(int64(len(c.values)))
	c.mu.Unlock()

	c.countsMu.Lock()
	if ok {
		c.counts.Hits++
	} else {
		c.counts.Misses++
	}
	c.countsMu.Unlock()
	return v, ok
}

// Set changes a value.
func (c *Cache) Set(key string, v int) {
	limit := c.limit
	c.mu.Lock()
	defer c.mu.Unlock()
	if limit > 0 && len(c.values) >= limit {
		delete(c.values, c.newest)
	}
	c.values[key], c.newest = v, key
}

// Counts returns the counts.
func (c *Cache) Counts() Counts {
	c.countsMu.Lock()
	defer c.countsMu.Unlock()
	return c.counts
}

// Load returns the load of the last call.
func (c *Cache) Load() int64 { return c.load.Load() }

// Use counts calls, and does something with how many there are.
func (c *Cache) Use() bool {
	c.countsMu.Lock()
	c.calls++
	c.countsMu.Unlock()

	c.countsMu.Lock()
	defer c.countsMu.Unlock()
	return c.calls > 100
}
