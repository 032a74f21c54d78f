// Command embedded_interface_fixed wraps a store in a cache that embeds the interface of the store.
package main

import "sync"

type store interface {
	Load(key string) int
	Save(key string, value int)
}

type disk struct{}

func (disk) Load(key string) int    { return len(key) }
func (disk) Save(key string, _ int) { println("saved", key) }

// Cache counts what it answers itself, and what the store answers.
type Cache struct {
	store
	mu     sync.Mutex
	known  map[string]int
	misses int
}

func (c *Cache) Load(key string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if value, ok := c.known[key]; ok {
		return value
	}
	value := c.store.Load(key)
	c.known[key] = value
	c.misses++
	return value
}

func (c *Cache) Stats() (int, int) {
	c.mu.Lock()
	known := len(c.known)
	misses := c.misses
	c.mu.Unlock()
	return known, misses
}

func main() {
	cache := &Cache{store: disk{}, known: map[string]int{}}
	var s store = cache
	var wg sync.WaitGroup
	wg.Go(func() { s.Load("a"); s.Save("b", 1) })
	wg.Go(func() { println(cache.Stats()) })
	wg.Wait()
}
