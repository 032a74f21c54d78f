// Command handed_out keeps its entries in a container that says by a pointer where one is.
package main

import "sync"

// chain is a map, as a list. Its functions are written for all that has places.
type chain struct{ first *link }

type link struct {
	key, value int
	next       *link
}

type places interface{ find(key int) **link }

func (c *chain) find(key int) **link {
	at := &c.first
	for *at != nil && (*at).key != key {
		at = &(*at).next
	}
	return at
}

func get(p places, key int) (int, bool) {
	if at := *p.find(key); at != nil {
		return at.value, true
	}
	return 0, false
}

func set(p places, key, value int) {
	*p.find(key) = &link{key: key, value: value}
}

// Cache has a lock for its entries. Fill looks for one before it takes the lock.
type Cache struct {
	mu      sync.Mutex
	entries chain
	filled  int
}

// Fill makes an entry if there is none.
func (c *Cache) Fill(key int) {
	if _, ok := get(&c.entries, key); ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	set(&c.entries, key, key*key)
	c.filled++
}

// Sum returns an entry and how many there are.
func (c *Cache) Sum(key int) (value, filled int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	value, _ = get(&c.entries, key)
	return value, c.filled
}

func main() {
	c := &Cache{}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { c.Fill(i) })
	}
	wg.Wait()
	println(c.Sum(1))
}
