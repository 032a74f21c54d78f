// Command waitgroup_go_fixed shows the progress of a download. The goroutines
// are function literals that use the fields directly. The download updates the
// two fields in one critical section for each part.
package main

import (
	"fmt"
	"sync"
)

// progress is how far a download has got.
type progress struct {
	mu    sync.Mutex
	parts int
	bytes int
}

func main() {
	p := &progress{}
	sizes := []int{512, 512, 100}

	var wg sync.WaitGroup
	wg.Go(func() {
		for _, size := range sizes {
			p.mu.Lock()
			p.parts++
			p.bytes += size
			p.mu.Unlock()
		}
	})
	wg.Go(func() {
		p.mu.Lock()
		parts := p.parts
		bytes := p.bytes
		p.mu.Unlock()
		fmt.Println(parts, "parts,", bytes, "bytes")
	})
	wg.Wait()
}
