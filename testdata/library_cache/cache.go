// Package cache is a library without a main function: who calls it, and from how
// many goroutines, is not known.
package cache

import (
	"errors"
	"iter"
	"sync"
)

// An Option changes a cache that is made.
type Option func(*Cache)

// WithLimit bounds the number of entries.
func WithLimit(n int) Option { return func(c *Cache) { c.limit = n } }

// Cache keeps values by name, and their sum.
type Cache struct {
	mu      sync.Mutex
	entries map[string]int
	sum     int
	limit   int
}

// New returns an empty cache.
func New(options ...Option) (*Cache, error) {
	c := &Cache{entries: map[string]int{}, limit: 100}
	for _, option := range options {
		option(c)
	}
	if c.limit <= 0 {
		return nil, errors.New("cache: the limit is not positive")
	}
	return c, nil
}

// Put keeps a value under a name that is not taken. It reports whether it did.
func (c *Cache) Put(name string, value int) bool {
	c.mu.Lock()
	if _, taken := c.entries[name]; taken || len(c.entries) >= c.limit {
		c.mu.Unlock()
		return false
	}
	c.entries[name] = value
	c.mu.Unlock()
	c.add(value) // BUG: the sum is behind the entries until then
	return true
}

// add adds to the sum.
func (c *Cache) add(value int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sum += value
}

// Update changes a value. The function must not use the cache.
func (c *Cache) Update(name string, change func(int) int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.entries[name]
	c.entries[name] = change(old)
	c.sum += c.entries[name] - old
}

// Mean returns the mean of the values.
func (c *Cache) Mean() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.entries)
	if n == 0 {
		return 0
	}
	return c.sum / n
}

// All yields a copy of the entries.
func (c *Cache) All() iter.Seq2[string, int] {
	c.mu.Lock()
	copied := make(map[string]int, len(c.entries))
	for name, value := range c.entries {
		copied[name] = value
	}
	c.mu.Unlock()
	return func(yield func(string, int) bool) {
		for name, value := range copied {
			if !yield(name, value) {
				return
			}
		}
	}
}
