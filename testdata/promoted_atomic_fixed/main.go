// Command promoted_atomic_fixed is promoted_atomic with one step in place of two.
package main

import (
	"sync"
	"sync/atomic"
)

// Hits counts; what it counts with is embedded.
type Hits[T any] struct {
	atomic.Int64
	last atomic.Pointer[T]
}

type counter interface{ Add(int64) int64 }

func count(c counter) { c.Add(1) }

// Drain returns the hits, and begins to count anew.
func (h *Hits[T]) Drain() int64 {
	swap := h.Swap
	return swap(0)
}

func main() {
	h := &Hits[string]{}
	var wg sync.WaitGroup
	wg.Go(func() { count(h) })
	println(h.Drain())
	wg.Wait()
}
