// Command limit_lowered_between_fixed takes a place in a pool if there is one, and
// keeps one back, in one critical section.
package main

import "sync"

// Pool is a number of places, of which some are used.
type Pool struct {
	mu    sync.Mutex
	used  int
	limit int
}

// Take takes a place if there is one.
func (p *Pool) Take() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.used >= p.limit {
		return
	}
	p.limit--
	if p.used >= p.limit {
		return
	}
	p.used++
}

func main() {
	p := &Pool{limit: 5}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(p.Take)
	}
	wg.Wait()
	println(p.used, p.limit)
}
