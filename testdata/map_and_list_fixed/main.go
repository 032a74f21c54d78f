// Command map_and_list_fixed counts the uses of entries that are in a map and
// in a list. The entry is changed by way of both, with the lock held.
package main

import "sync"

type entry struct{ uses int }

// Cache has entries by name and by age.
type Cache struct {
	mu     sync.Mutex
	byName map[string]*entry
	byAge  []*entry
}

// Put adds an entry.
func (c *Cache) Put(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := &entry{}
	c.byName[name] = e
	c.byAge = append(c.byAge, e)
}

// Use counts a use of the entry with that name.
func (c *Cache) Use(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byName[name].uses++
}

// Fade takes one use from the oldest entry.
func (c *Cache) Fade() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byAge[0].uses--
}

func main() {
	c := &Cache{byName: map[string]*entry{}}
	c.Put("apple")
	var wg sync.WaitGroup
	wg.Go(func() { c.Use("apple") })
	wg.Go(c.Fade)
	wg.Wait()
}
