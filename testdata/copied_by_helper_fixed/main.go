// Command copied_by_helper_fixed has two kinds of sets of keys, which copy each other's by one helper.
package main

import "sync"

func copyOf(keys map[string]int) map[string]int {
	all := make(map[string]int)
	for k, v := range keys {
		all[k] = v
	}
	return all
}

// Ring is a set of keys, and how many there are.
type Ring struct {
	mu    sync.Mutex
	keys  map[string]int
	count int
}

// NewRing returns a ring with a copy of the keys.
func NewRing(keys map[string]int) *Ring { return &Ring{keys: copyOf(keys), count: len(keys)} }

// Keys returns a copy of the keys.
func (r *Ring) Keys() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return copyOf(r.keys)
}

// Remove removes a key.
func (r *Ring) Remove(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.keys[k]; ok {
		delete(r.keys, k)
		r.count--
	}
}

// Chain is another set of keys.
type Chain struct {
	mu   sync.RWMutex
	keys map[string]int
}

// FromRing returns a chain with a copy of a ring's keys.
func FromRing(r *Ring) *Chain {
	c := &Chain{}
	c.keys = r.Keys()
	return c
}

// Remove removes a key.
func (c *Chain) Remove(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.keys, k)
}

func main() {
	r := NewRing(map[string]int{"a": 1})
	c := FromRing(r)
	var done sync.WaitGroup
	done.Add(2)
	go func() {
		defer done.Done()
		r.Remove("a")
	}()
	go func() {
		defer done.Done()
		c.Remove("a")
	}()
	done.Wait()
}
