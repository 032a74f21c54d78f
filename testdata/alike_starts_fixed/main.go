// Command alike_starts_fixed starts the same goroutine in many places.
package main

import "sync"

// Range is a low and a high mark.
type Range struct {
	mu        sync.Mutex
	low, high int
}

// Set changes both marks.
func (r *Range) Set(low, high int) {
	r.mu.Lock()
	r.low = low
	r.high = high
	r.mu.Unlock()
}

func main() {
	r := &Range{}
	go r.Set(1, 2)
	go r.Set(3, 4)
	go r.Set(5, 6)
	go r.Set(7, 8)
	r.mu.Lock()
	println(r.low)
	r.mu.Unlock()
	go r.Set(9, 10)
}
