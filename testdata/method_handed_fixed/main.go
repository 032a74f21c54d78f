// Command method_handed_fixed is method_handed with one step in place of two.
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
	return g.level.Swap(0)
}

func main() {
	g := &Gauge{}
	var wg sync.WaitGroup
	wg.Go(func() { twice(g.level.Add, 2) })
	println(g.Take())
	wg.Wait()
}
