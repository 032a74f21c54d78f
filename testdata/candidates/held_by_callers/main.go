// Command held_by_callers is a cache of which most functions leave it to their callers to
// hold the lock.
package main

import "sync"

// Cache is a map and its size.
type Cache struct {
	mu    sync.Mutex
	items map[string]int
	size  int
}

// NewCache returns a cache with one item. Nobody knows it yet: it needs no lock.
func NewCache() *Cache {
	c := &Cache{items: map[string]int{}}
	c.put("first", 1)
	return c
}

func (c *Cache) lock()   { c.mu.Lock() }
func (c *Cache) unlock() { c.mu.Unlock() }

// Put puts an item into the cache.
func (c *Cache) Put(key string, n int) {
	c.lock()
	defer c.unlock()
	c.put(key, n)
}

// put is called with the lock held.
func (c *Cache) put(key string, n int) {
	c.items[key] = n
	c.size += n
}

// get takes the lock only if its caller does not hold it.
func (c *Cache) get(key string, locked bool) int {
	if !locked {
		c.mu.Lock()
	}
	n := c.items[key]
	if !locked {
		c.mu.Unlock()
	}
	return n
}

// Double doubles an item.
func (c *Cache) Double(key string) {
	c.with(func() { c.put(key, 2*c.get(key, true)) })
}

// with runs a function with the lock held.
func (c *Cache) with(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do()
}

// Drain empties the cache; the lock is let go of last.
func (c *Cache) Drain() {
	c.lock()
	defer c.unlock()
	defer func() {
		c.items, c.size = map[string]int{}, 0
	}()
}

func main() {
	c := NewCache()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			c.Put("a", c.get("b", false))
			c.Double("a")
		})
	}
	c.Drain()
	wg.Wait()
}
