// Command recent_in_lists remembers what has been used last, in two caches with a
// list and a lock each.
package main

import (
	"container/list"
	"sync"
)

const size = 1

// Cache remembers names, the last one first.
type Cache struct {
	mu    sync.Mutex
	names *list.List
}

// NewCache returns an empty cache.
func NewCache() *Cache {
	return &Cache{names: list.New()}
}

// Use remembers a name, and forgets the one that was not used for the longest time.
func (c *Cache) Use(name string) {
	c.mu.Lock()
	c.names.PushFront(name)
	c.mu.Unlock()
	c.mu.Lock() // BUG: there is one too many until here
	defer c.mu.Unlock()
	if c.names.Len() > size {
		c.names.Remove(c.names.Back())
	}
}

// Full reports whether there is no more room.
func (c *Cache) Full() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.names.Len() >= size
}

func main() {
	hosts := NewCache()
	users := NewCache()
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b", "c"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			hosts.Use(name + ".example.org")
			users.Use(name)
		}()
	}
	wg.Wait()
	if !hosts.Full() || !users.Full() {
		panic("empty")
	}
}
