// Command promoted_atomic calls a method of an embedded atomic by way of an interface, and
// others as values: what is counted while Drain is half done is lost.
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
	load, store := h.Load, h.Store
	n := load()
	store(0) // what was counted since is lost
	return n
}

func main() {
	h := &Hits[string]{}
	var wg sync.WaitGroup
	wg.Go(func() { count(h) })
	println(h.Drain())
	wg.Wait()
}
