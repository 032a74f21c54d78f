// Command look_inside_helper has a registry that looks a name up with a helper,
// which locks. When it has the lock to add the name, it looks for another one.
package main

import "sync"

// Registry knows numbers by name, and how many.
type Registry struct {
	mu      sync.RWMutex
	numbers map[string]int
	size    int
}

func (r *Registry) lookup(name string) (int, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	n, ok := r.numbers[name]
	return n, ok
}

// Number returns the number of a name, and gives it one if it has none.
func (r *Registry) Number(name string) int {
	if n, ok := r.lookup(name); ok {
		return n
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n, ok := r.numbers[name+"?"]; ok { // not what was looked up before
		return n
	}
	r.size++
	r.numbers[name] = r.size
	return r.size
}

func main() {
	r := &Registry{numbers: map[string]int{}}
	var wg sync.WaitGroup
	wg.Go(func() { r.Number("ann") })
	wg.Go(func() { r.Number("ann") })
	wg.Wait()
	println(r.Number("ann"))
}
