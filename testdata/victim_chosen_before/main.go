// Command victim_chosen_before removes the oldest entry of a cache, which it has
// looked up in an earlier critical section.
package main

import "sync"

// Cache holds values; oldest is the key of the one that goes next.
type Cache struct {
	mu     sync.Mutex
	values map[string]int
	oldest string
}

// Evict removes the oldest entry.
func (c *Cache) Evict() {
	c.mu.Lock()
	victim := c.oldest
	c.mu.Unlock()

	c.mu.Lock()
	delete(c.values, victim) // which may be young again
	c.oldest = ""
	c.mu.Unlock()
}

// Age makes a key the oldest.
func (c *Cache) Age(key string) {
	c.mu.Lock()
	c.oldest = key
	c.mu.Unlock()
}

func main() {
	c := &Cache{values: map[string]int{"a": 1, "b": 2}, oldest: "a"}
	var wg sync.WaitGroup
	wg.Go(c.Evict)
	wg.Go(func() { c.Age("b") })
	wg.Wait()
	println(len(c.values))
}
