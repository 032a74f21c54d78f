// Command counters_in_registry has a registry of atomic counters. Moving an amount from
// one to another takes two steps, and a sum can see it half done.
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

// Move takes an amount from one counter and adds it to another.
func (r *Registry) Move(from, to string, n int64) {
	r.mu.Lock()
	x, y := r.counters[from], r.counters[to]
	r.mu.Unlock()
	x.n.Add(-n)
	y.n.Add(n) // the sum was too small until here
}

// Sum adds two counters up.
func (r *Registry) Sum(a, b string) int64 {
	r.mu.Lock()
	x, y := r.counters[a], r.counters[b]
	r.mu.Unlock()
	sum := x.n.Load()
	return sum + y.n.Load()
}

func main() {
	r := &Registry{counters: map[string]*counter{"ann": {}, "bob": {}}}
	var wg sync.WaitGroup
	wg.Go(func() { r.Move("ann", "bob", 1) })
	wg.Go(func() { r.Declare("cleo") })
	println(r.Sum("ann", "bob"))
	wg.Wait()
	r.Reset("ann")
}
