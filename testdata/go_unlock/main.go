// Command go_unlock sets a range while another goroutine reads it. A slip of
// the pen, go for defer, lets a goroutine of its own release the lock at any
// time.
package main

import "sync"

// Range is a low and a high mark.
type Range struct {
	mu   sync.Mutex
	low  int
	high int
}

// Set changes both marks.
func (r *Range) Set(low, high int) {
	r.mu.Lock()
	go r.mu.Unlock() // can be done before the marks are
	r.low = low
	r.high = high
}

// Get returns both marks.
func (r *Range) Get() (low, high int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	low = r.low
	high = r.high
	return low, high
}

func main() {
	r := &Range{}
	go r.Set(3, 7)
	println(r.Get())
}
