// Package look_other_key changes what it looks for between its looks.
package look_other_key

import "sync"

// Cache keeps what was made, and counts it.
type Cache struct {
	mu      sync.RWMutex
	entries map[string]int
	count   int
}

// New makes a cache.
func New() *Cache { return &Cache{entries: map[string]int{}} }

// Get returns what there is for a key.
func (c *Cache) Get(key string) int {
	c.mu.RLock()
	v, ok := c.entries[key]
	c.mu.RUnlock()
	if ok {
		return v
	}
	key += "/"
	v = <-slow(key)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[key] = v
	c.count++
	return v
}

// Len returns how many there are.
func (c *Cache) Len() (entries, count int) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.entries), c.count
}

func slow(key string) chan int {
	c := make(chan int, 1)
	c <- len(key)
	return c
}
