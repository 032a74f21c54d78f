// Command lock_beside has a cache in parts, and the locks of the parts beside them. To count, it takes
// the locks of others.
package main

import (
	"fmt"
	"sync"
)

const parts = 4

// Part is a part of a cache.
type Part struct {
	entries map[string]int
	count   int
}

func newPart() Part { return Part{entries: map[string]int{}} }

// Set changes an entry.
func (p *Part) Set(key string, value int) {
	if _, ok := p.entries[key]; !ok {
		p.count++
	}
	p.entries[key] = value
}

// Cache has a lock for each part.
type Cache struct {
	locks [parts]sync.Mutex
	parts [parts]Part
}

// NewCache returns an empty cache.
func NewCache() *Cache {
	c := new(Cache)
	for i := 0; i < parts; i++ {
		c.parts[i] = newPart()
	}
	return c
}

// Set changes an entry.
func (c *Cache) Set(key string, value int) {
	at := len(key) % parts
	c.locks[at].Lock()
	defer c.locks[at].Unlock()
	c.parts[at].Set(key, value)
}

// Count counts the entries.
func (c *Cache) Count() int {
	n := 0
	for i := range c.parts {
		c.locks[(i+1)%parts].Lock()
		if len(c.parts[i].entries) > 0 {
			n += c.parts[i].count
		}
		c.locks[(i+1)%parts].Unlock()
	}
	return n
}

func main() {
	c := NewCache()
	var done sync.WaitGroup
	done.Go(func() { c.Set("ann", 1) })
	done.Go(func() { c.Set("bob", 2) })
	done.Go(func() { c.Count() })
	done.Wait()
	fmt.Println(c.Count())
}
