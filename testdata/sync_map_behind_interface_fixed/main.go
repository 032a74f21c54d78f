// Command sync_map_behind_interface_fixed has values by name behind an interface, and clears them before it adds others,
// all under a lock.
package main

import (
	"fmt"
	"sync"
)

// Values is values by name.
type Values interface {
	Load(name any) (value any, ok bool)
	Store(name, value any)
	Clear()
}

// Registry has the values of one generation.
type Registry struct {
	mu         sync.Mutex
	generation int
	values     Values
}

// Renew begins a generation with one value.
func (r *Registry) Renew(name string, value int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.values.Clear()
	r.values.Store(name, value)
}

// Both returns two values of one generation.
func (r *Registry) Both(first, second string) (any, any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a, _ := r.values.Load(first)
	b, _ := r.values.Load(second)
	return a, b
}

func main() {
	r := &Registry{values: &sync.Map{}}
	r.Renew("a", 1)
	var wg sync.WaitGroup
	wg.Go(func() { r.Renew("b", 2) })
	wg.Go(func() { fmt.Println(r.Both("a", "b")) })
	wg.Wait()
}
