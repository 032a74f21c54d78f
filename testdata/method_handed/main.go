// Command method_handed hands the method of an atomic to a function that calls it: what is
// added while Take is half done is lost.
package main

import (
	"sync"
	"sync/atomic"
)

// Gauge has a level.
type Gauge struct{ level atomic.Int64 }

// twice does a change two times.
func twice(change func(int64) int64, by int64) {
	change(by)
	change(by)
}

// Take returns the level, and begins at zero again.
func (g *Gauge) Take() int64 {
	n := g.level.Load()
	g.level.Store(0) // what was added since is lost
	return n
}

func main() {
	g := &Gauge{}
	var wg sync.WaitGroup
	wg.Go(func() { twice(g.level.Add, 2) })
	println(g.Take())
	wg.Wait()
}
