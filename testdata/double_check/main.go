// Command double_check has a cache that is read under a read lock. Who finds nothing
// takes the lock and fills it in without another look.
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
	v = len(name)
	c.entries[name] = v // may be there by now
	c.size++            // and counts twice then
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
