// Command counter_drained has a registry of atomic counters. Who drains one reads it and
// sets it to zero in two steps: what is counted between them is lost.
package main

import (
	"sync"
	"sync/atomic"
)

type counter struct{ n atomic.Int64 }

func (c *counter) hit() { c.n.Add(1) }

// Registry knows counters by name.
type Registry struct {
	mu       sync.Mutex
	counters map[string]*counter
}

func (r *Registry) get(name string) *counter {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.counters[name]
}

// Drain returns what was counted, and begins to count anew.
func (r *Registry) Drain(name string) int64 {
	c := r.get(name)
	n := c.n.Load()
	c.n.Store(0) // what was counted since is lost
	return n
}

func main() {
	r := &Registry{counters: map[string]*counter{"ann": {}}}
	var wg sync.WaitGroup
	wg.Go(func() { r.get("ann").hit() })
	println(r.Drain("ann"))
	wg.Wait()
}
