// Command limit_raised_between_fixed takes a place in a pool if there is one. It looks
// twice.
package main

import "sync"

type limits struct{ places int }

func (l *limits) all() int { return l.places }

// Pool is a number of places, of which some are used.
type Pool struct {
	mu     sync.Mutex
	limits *limits
	used   int
}

// Take takes a place if there is one.
func (p *Pool) Take() {
	p.mu.Lock()
	if p.used >= p.limits.all() {
		p.mu.Unlock()
		return
	}
	p.mu.Unlock()

	p.mu.Lock()
	defer p.mu.Unlock()
	if p.used >= p.limits.all() {
		return
	}
	p.used++
}

func main() {
	p := &Pool{limits: &limits{2}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(p.Take)
	}
	wg.Wait()
	println(p.used)
}
