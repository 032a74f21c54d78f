// Command constructor_in_map makes one range by name and one through a map of
// constructors; the second is shared.
package main

import "sync"

// Range is a pair of bounds.
type Range struct {
	mu        sync.Mutex
	low, high int
}

// New returns an empty range.
func New() *Range { return &Range{} }

var makers = map[string]func() *Range{"range": New}

// Set stores n in both fields, in two critical sections.
func (r *Range) Set(n int) {
	r.mu.Lock()
	r.low = n
	r.mu.Unlock()
	r.mu.Lock()
	r.high = n
	r.mu.Unlock()
}

func main() {
	quiet := New()
	quiet.Set(3)
	r := makers["range"]()
	go r.Set(1)
	go r.Set(2)
}
