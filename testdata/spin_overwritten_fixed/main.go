// Command spin_overwritten_fixed counts hits behind a flag.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Hits is how many there were, and the last one.
type Hits struct {
	busy  uint32
	count int
	last  string
}

func (h *Hits) lock() {
	for !atomic.CompareAndSwapUint32(&h.busy, 0, 1) {
	}
}

func (h *Hits) unlock() { atomic.StoreUint32(&h.busy, 0) }

// Add adds a hit.
func (h *Hits) Add(name string) {
	h.lock()
	defer h.unlock()
	h.count++
	h.last = name
}

// Reset forgets all hits.
func (h *Hits) Reset() {
	h.lock()
	h.count = 0
	h.last = "none"
	h.unlock()
}

func main() {
	h := &Hits{}
	var wg sync.WaitGroup
	wg.Go(func() { h.Add("a") })
	wg.Go(h.Reset)
	wg.Wait()
	fmt.Println(h.count, h.last)
}
