// Command entries is a cache whose lock guards the entries in it as well.
package main

import "sync"

// Cache has entries.
type Cache struct {
	mu      sync.Mutex
	entries map[string]*entry
}

type entry struct {
	value int
	uses  int
}

func (c *Cache) put(key string, value int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e == nil {
		e = &entry{}
		c.entries[key] = e
	}
	e.value = value
	e.uses = 0
}

func (c *Cache) get(key string) int {
	c.mu.Lock()
	e := c.entries[key]
	c.mu.Unlock()
	if e == nil {
		return 0
	}
	e.uses++ // it is the lock of the cache that is missing here
	return e.value
}

func main() {
	c := &Cache{entries: map[string]*entry{}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { c.get("a") })
	}
	c.put("a", 1)
	wg.Wait()
}
