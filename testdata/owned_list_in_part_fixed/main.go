// Command owned_list_in_part_fixed keeps what was used last in a part of a cache; a report has a list
// of its own.
package main

import (
	"container/list"
	"fmt"
	"sync"
)

// recent is names, the last one first.
type recent struct {
	names list.List
	seen  map[string]*list.Element
}

func (r *recent) use(name string) {
	if e := r.seen[name]; e != nil {
		r.names.MoveToFront(e)
		return
	}
	r.seen[name] = r.names.PushFront(name)
}

// Cache is values, and which were used last.
type Cache struct {
	mu     sync.Mutex
	recent *recent
	uses   int
}

// NewCache returns an empty cache.
func NewCache() *Cache { return &Cache{recent: &recent{seen: map[string]*list.Element{}}} }

// Use notes that a name is used.
func (c *Cache) Use(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.recent.use(name)
	c.uses++
}

// Reset forgets all names.
func (c *Cache) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.recent = &recent{seen: map[string]*list.Element{}}
	c.uses = 0
}

// report puts the words into order.
func report(words ...string) {
	order := recent{seen: map[string]*list.Element{}}
	for _, word := range words {
		order.use(word)
	}
	for e := order.names.Front(); e != nil; e = e.Next() {
		fmt.Println(e.Value)
	}
}

func main() {
	c := NewCache()
	var done sync.WaitGroup
	done.Go(func() { c.Use("a") })
	done.Go(func() { c.Reset() })
	done.Go(func() { report("x", "y", "x") })
	done.Go(func() { report("z") })
	done.Wait()
}
