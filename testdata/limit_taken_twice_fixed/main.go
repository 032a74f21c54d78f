// Command limit_taken_twice_fixed adds to a gauge as long as it is below a limit, which
// it receives once.
package main

import "sync"

// Gauge is a level.
type Gauge struct {
	mu     sync.Mutex
	level  int
	limits chan int
}

func (g *Gauge) isBelow(limit int) bool {
	return g.level < limit
}

// Raise sets the level if there is room.
func (g *Gauge) Raise(level int) {
	limit := <-g.limits
	g.mu.Lock()
	ok := g.isBelow(limit)
	g.mu.Unlock()
	if !ok {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.isBelow(limit) {
		g.level = level
	}
}

func main() {
	g := &Gauge{limits: make(chan int, 4)}
	for limit := range 4 {
		g.limits <- limit + 1
	}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { g.Raise(i) })
	}
	wg.Wait()
	println(g.level)
}
