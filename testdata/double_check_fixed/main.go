// Command double_check_fixed is double_check with a second look once it has the lock.
package main

import "sync"

// Cache keeps results by name, and how many there are.
type Cache struct {
	mu      sync.RWMutex
	entries map[string]int
	size    int
}

// Get returns the result for a name.
func (c *Cache) Get(name string) int {
	c.mu.RLock()
	v, ok := c.entries[name]
	c.mu.RUnlock()
	if ok {
		return v
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.entries[name]; ok {
		return v
	}
	v = len(name)
	c.entries[name] = v
	c.size++
	return v
}

func main() {
	c := &Cache{entries: map[string]int{}}
	done := make(chan bool)
	go func() {
		c.Get("gopher")
		done <- true
	}()
	println(c.Get("gopher"))
	<-done
}
