// Command peak_compared_once_fixed keeps the highest load that was seen, with compare-and-swap.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Gauge knows the highest load.
type Gauge struct {
	peak atomic.Int64
}

// Observe notes a load.
func (g *Gauge) Observe(load int64) {
	for seen := g.peak.Load(); load > seen; seen = g.peak.Load() {
		if g.peak.CompareAndSwap(seen, load) {
			return
		}
	}
}

// Peak returns the highest load.
func (g *Gauge) Peak() int64 { return g.peak.Load() }

func main() {
	gauge := &Gauge{}
	var wg sync.WaitGroup
	for _, load := range []int64{7, 3, 9} {
		wg.Go(func() { gauge.Observe(load) })
	}
	wg.Wait()
	fmt.Println(gauge.Peak())
}
