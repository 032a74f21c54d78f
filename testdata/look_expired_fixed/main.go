// Command look_expired_fixed has a cache whose entries expire. Who finds none, or an
// old one, takes the lock and looks again.
package main

import (
	"sync"
	"time"
)

type entry struct {
	value int
	until time.Time
}

func (e entry) expired(now time.Time) bool { return now.After(e.until) }

// Cache keeps values for a while, and counts how often they were made.
type Cache struct {
	mu      sync.RWMutex
	entries map[string]entry
	made    int
}

// Get returns the value of a name, and makes it if need be.
func (c *Cache) Get(name string) int {
	c.mu.RLock()
	e, ok := c.entries[name]
	c.mu.RUnlock()
	if ok && !e.expired(time.Now()) {
		return e.value
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[name]; ok && !e.expired(time.Now()) {
		return e.value
	}
	c.made++
	c.entries[name] = entry{c.made, time.Now().Add(time.Second)}
	return c.made
}

func main() {
	c := &Cache{entries: map[string]entry{}}
	var wg sync.WaitGroup
	wg.Go(func() { c.Get("ann") })
	wg.Go(func() { c.Get("ann") })
	wg.Wait()
	println(c.Get("ann"))
}
