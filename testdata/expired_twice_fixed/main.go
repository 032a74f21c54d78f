// Command expired_twice_fixed has a cache that counts what expires. Who has found an old entry
// takes the lock and looks again.
package main

import "sync"

type entry struct{ until int }

func (e entry) fresh(now int) bool { return now < e.until }

// Cache has entries, and the number of those that were dropped because they were old.
type Cache struct {
	mu      sync.RWMutex
	entries map[string]entry
	expired int
}

// Expire drops an entry if it is old.
func (c *Cache) Expire(name string, now int) {
	c.mu.RLock()
	e, ok := c.entries[name]
	c.mu.RUnlock()
	if !ok || e.fresh(now) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[name]; !ok || e.fresh(now) {
		return
	}
	delete(c.entries, name)
	c.expired++
}

func main() {
	c := &Cache{entries: map[string]entry{"ann": {1}}}
	var wg sync.WaitGroup
	wg.Go(func() { c.Expire("ann", 2) })
	wg.Go(func() { c.Expire("ann", 2) })
	wg.Wait()
	println(c.expired)
}
