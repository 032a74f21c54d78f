// Command limit_lowered_between takes a place in a pool if there is one, keeps one
// back, and looks again.
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
	if p.used >= p.limit {
		p.mu.Unlock()
		return
	}
	p.limit--
	p.mu.Unlock()

	p.mu.Lock()
	defer p.mu.Unlock()
	if p.used >= p.limit { // another limit than before
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
