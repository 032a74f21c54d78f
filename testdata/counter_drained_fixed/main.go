// Command counter_drained_fixed has a registry of atomic counters. Who drains one reads it and
// sets it to zero in one step.
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
	return c.n.Swap(0)
}

func main() {
	r := &Registry{counters: map[string]*counter{"ann": {}}}
	var wg sync.WaitGroup
	wg.Go(func() { r.get("ann").hit() })
	println(r.Drain("ann"))
	wg.Wait()
}
