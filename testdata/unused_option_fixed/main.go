// Command unused_option_fixed has a cache that tells who asks for it how much was removed. The
// program does not ask.
package main

import "sync"

// Options are what a cache does besides.
type Options struct {
	OnRemove func(key string, removed int)
}

// Cache has items, and counts those that were removed.
type Cache struct {
	mu       sync.Mutex
	items    map[string]int
	removed  int
	options  Options
	onRemove func(key string)
}

// New returns a cache.
func New(o Options) *Cache {
	c := &Cache{items: map[string]int{}, options: o}
	if o.OnRemove != nil {
		c.onRemove = c.report
	} else {
		c.onRemove = c.ignore
	}
	return c
}

// report reads the count without the lock.
func (c *Cache) report(key string) { c.options.OnRemove(key, c.removed) }

func (c *Cache) ignore(string) {}

// Put adds an item.
func (c *Cache) Put(key string, value int) {
	c.mu.Lock()
	c.items[key] = value
	c.mu.Unlock()
}

// Remove removes an item.
func (c *Cache) Remove(key string) {
	c.mu.Lock()
	delete(c.items, key)
	c.removed++
	c.mu.Unlock()
	c.onRemove(key)
}

func main() {
	c := New(Options{})
	var wg sync.WaitGroup
	wg.Go(func() { c.Put("a", 1) })
	wg.Go(func() { c.Remove("a") })
	wg.Go(func() { c.Remove("b") })
	wg.Wait()
}
