// Command group_in_recursion_fixed waits for a goroutine in a function that calls
// itself: the wait of the inner activation is for the inner goroutine only.
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

// Get returns both fields.
func (r *Range) Get() (int, int) {
	r.mu.Lock()
	low := r.low
	high := r.high
	r.mu.Unlock()
	return low, high
}

var shared Range

func run(depth int) {
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		defer group.Done()
		shared.Set(depth)
	}()
	if depth > 0 {
		run(depth - 1)
		println(shared.Get())
	}
	group.Wait()
}

func main() { run(1) }
