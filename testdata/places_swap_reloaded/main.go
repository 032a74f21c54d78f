// Command places_swap_reloaded gives out places with compare-and-swap, and tries twice.
package main

import (
	"sync"
	"sync/atomic"
)

// Course has a limited number of places.
type Course struct {
	places int64
	taken  atomic.Int64
}

// Enrol takes a place, if there is one.
func (c *Course) Enrol() bool {
	taken := c.taken.Load()
	if taken >= c.places {
		return false
	}
	if c.taken.CompareAndSwap(taken, taken+1) {
		return true
	}
	taken = c.taken.Load()
	// BUG: who knows whether there is a place left
	return c.taken.CompareAndSwap(taken, taken+1)
}

func main() {
	course := &Course{places: 1}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { course.Enrol() })
	}
	wg.Wait()
}
