// Command generic_instances_fixed makes a range for each of two types; only the one for
// strings is shared; Set
// is one critical section.
package main

import "sync"

// Range is a pair of bounds.
type Range struct {
	mu        sync.Mutex
	low, high int
}

// Set stores n in both fields.
func (r *Range) Set(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.low = n
	r.high = n
}

func run[V any](v V) {
	r := &Range{}
	if _, shared := any(v).(string); shared {
		go r.Set(1)
		go r.Set(2)
		return
	}
	r.Set(3)
}

func main() {
	run(1)
	run("x")
}
