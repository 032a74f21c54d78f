// Command limit_taken_twice adds to a gauge as long as it is below a limit, which it
// receives; what it looks at twice it compares with two limits.
package main

import "sync"

// Gauge is a level.
type Gauge struct {
	mu     sync.Mutex
	level  int
	limits chan int
}

func (g *Gauge) isBelow() bool {
	limit := <-g.limits
	return g.level < limit
}

// Raise sets the level if there is room.
func (g *Gauge) Raise(level int) {
	g.mu.Lock()
	ok := g.isBelow()
	g.mu.Unlock()
	if !ok {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.isBelow() { // another limit
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
