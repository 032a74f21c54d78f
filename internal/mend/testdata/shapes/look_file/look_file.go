// Package look_file makes something that has to be closed between its looks.
package look_file

import (
	"os"
	"sync"
)

// Cache keeps what was made, and counts it.
type Cache struct {
	mu      sync.RWMutex
	entries map[string]*os.File
	count   int
}

// New makes a cache.
func New() *Cache { return &Cache{entries: map[string]*os.File{}} }

// Get returns what there is for a key.
func (c *Cache) Get(key string) *os.File {
	c.mu.RLock()
	v, ok := c.entries[key]
	c.mu.RUnlock()
	if ok {
		return v
	}
	opened, err := os.Open(key)
	if err != nil {
		return nil
	}
	v = opened
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
