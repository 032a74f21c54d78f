// Command handed_in_loop_fixed hands each new range to two workers, with an argument
// that is computed for each; Set
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

func work(r *Range, n int) { r.Set(n) }

func main() {
	sizes := []int{1}
	for range 3 {
		r := &Range{}
		for range 2 {
			sizes = append(sizes, 1)
			go work(r, len(sizes))
		}
	}
}
