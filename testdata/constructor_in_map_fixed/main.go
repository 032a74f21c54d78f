// Command constructor_in_map_fixed makes one range by name and one through a map of
// constructors; the second is shared; Set
// is one critical section.
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

// Set stores n in both fields.
func (r *Range) Set(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.low = n
	r.high = n
}

func main() {
	quiet := New()
	quiet.Set(3)
	r := makers["range"]()
	go r.Set(1)
	go r.Set(2)
}
