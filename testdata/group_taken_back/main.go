// Command group_taken_back adds to a wait group and takes a part back: Wait
// returns while a goroutine is still at work.
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
	r.mu.Unlock()
	r.mu.Lock()
	high := r.high
	r.mu.Unlock()
	return low, high
}

var shared Range

// surplus is how many goroutines too many are counted.
func surplus() int { return 1 }

func main() {
	var group sync.WaitGroup
	group.Add(2)
	group.Add(-surplus())
	go func() { defer group.Done() }()
	go func() {
		defer group.Done()
		shared.Set(2)
	}()
	group.Wait()
	println(shared.Get())
}
