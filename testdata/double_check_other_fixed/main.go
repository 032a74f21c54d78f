// Command double_check_other_fixed asks the same question twice.
package main

import "sync"

// Cache keeps results by name, and the number of the results.
type Cache struct {
	mu      sync.RWMutex
	entries map[string]int
	size    int
}

// Get returns the result for a name.
func (c *Cache) Get(name string) int {
	c.mu.RLock()
	_, ok := c.entries[name]
	c.mu.RUnlock()
	if ok {
		return len(name)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.entries[name]; ok {
		return len(name)
	}
	c.entries[name] = len(name)
	c.size++
	return len(name)
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
