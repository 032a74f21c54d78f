// Command missing_lock_fixed prints the statistics of a cache while another
// goroutine fills it. Put and Stats both hold the lock throughout.
package main

import (
	"fmt"
	"sync"
)

// Cache keeps strings and knows how many bytes they have.
type Cache struct {
	mu      sync.Mutex
	entries map[string]string
	size    int // bytes of all values in entries
}

// NewCache returns an empty cache.
func NewCache() *Cache {
	return &Cache{entries: make(map[string]string)}
}

// Put stores value under key.
func (c *Cache) Put(key, value string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.entries[key]
	c.entries[key] = value
	c.size += len(value) - len(old)
}

// Stats returns the number of entries and their size in bytes.
func (c *Cache) Stats() (n, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n = len(c.entries)
	size = c.size
	return n, size
}

func main() {
	cache := NewCache()

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		for _, name := range []string{"ann", "bob", "cleo"} {
			cache.Put(name, "hello "+name)
		}
	}()
	go func() {
		defer wg.Done()
		n, size := cache.Stats()
		fmt.Println(n, "entries,", size, "bytes")
	}()
	wg.Wait()
}
