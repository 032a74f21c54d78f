// Command peak_compared_once keeps the highest load that was seen, with compare-and-swap.
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
	seen := g.peak.Load()
	if load <= seen {
		return
	}
	// BUG: what is seen after a failed swap may be higher than the load.
	for !g.peak.CompareAndSwap(seen, load) {
		seen = g.peak.Load()
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
