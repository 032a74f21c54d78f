// Command grown_in_loop_fixed hands a ring the keys that a loop has put together.
package main

import (
	"fmt"
	"sync"
)

// Ring holds the keys of a cluster.
type Ring struct {
	mu      sync.Mutex
	primary string
	keys    []string // that belong to the primary
}

// NewRing returns a ring of which the primary is the first key.
func NewRing(primary string, others ...string) *Ring {
	r := &Ring{primary: primary}
	keys := []string{primary}
	for _, other := range others {
		if other != primary {
			keys = append(keys, other)
		}
	}
	r.keys = keys
	return r
}

// Reset begins anew, in one critical section.
func (r *Ring) Reset(primary string) {
	r.mu.Lock()
	r.primary = primary
	r.keys = nil
	r.mu.Unlock()
}

func main() {
	r := NewRing("a", "b", "c")
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		r.Reset("b")
	}()
	r.Reset("c")
	wg.Wait()
	fmt.Println("done")
}
