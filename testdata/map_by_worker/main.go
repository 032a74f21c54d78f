// Command map_by_worker has workers of which two share a number.
package main

import (
	"fmt"
	"sync"
)

// Progress is how far the workers are.
type Progress struct {
	mu   sync.Mutex
	done map[int]int
}

func (p *Progress) work(worker, steps int) {
	for range steps {
		p.mu.Lock()
		n := p.done[worker]
		p.mu.Unlock()
		n = 2*n + 1
		p.mu.Lock()
		p.done[worker] = n
		p.mu.Unlock()
	}
}

func main() {
	p := &Progress{done: map[int]int{}}
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func(worker int) {
			defer wg.Done()
			p.work(worker, 4)
		}(i / 2)
	}
	wg.Wait()
	fmt.Println(p.done)
}
