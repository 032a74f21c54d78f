// Command counters_in_registry_fixed has a registry of atomic counters. They are changed
// one at a time; new ones are added meanwhile.
package main

import (
	"sync"
	"sync/atomic"
)

type counter struct{ n atomic.Int64 }

// Registry knows counters by name.
type Registry struct {
	mu       sync.Mutex
	counters map[string]*counter
}

// Declare adds a counter.
func (r *Registry) Declare(name string) {
	c := &counter{}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counters[name] = c
}

// Reset sets a counter to zero.
func (r *Registry) Reset(name string) {
	r.mu.Lock()
	c := r.counters[name]
	r.mu.Unlock()
	c.n.Store(0)
}

// Count adds to a counter.
func (r *Registry) Count(name string, n int64) {
	r.mu.Lock()
	c := r.counters[name]
	r.mu.Unlock()
	c.n.Add(n) // the map may be another one by now, the counter is the same
}

// Value returns what a counter has come to.
func (r *Registry) Value(name string) int64 {
	r.mu.Lock()
	c := r.counters[name]
	r.mu.Unlock()
	return c.n.Load()
}

func main() {
	r := &Registry{counters: map[string]*counter{"ann": {}, "bob": {}}}
	var wg sync.WaitGroup
	wg.Go(func() { r.Count("ann", 1) })
	wg.Go(func() { r.Declare("cleo") })
	println(r.Value("ann"))
	wg.Wait()
	r.Reset("ann")
}
