// Command filled_by_metrics samples what the runtime system measures, again and again into
// the same slice, which readers look at under a lock.
package main

import (
	"fmt"
	"runtime/metrics"
	"sync"
)

// Gauges are the last samples.
type Gauges struct {
	mu      sync.Mutex
	samples []metrics.Sample
	round   int
}

// NewGauges returns gauges for some names.
func NewGauges(names ...string) *Gauges {
	g := &Gauges{samples: make([]metrics.Sample, len(names))}
	for i, name := range names {
		g.samples[i].Name = name
	}
	return g
}

// Update takes samples.
func (g *Gauges) Update() {
	g.mu.Lock()
	defer g.mu.Unlock()
	metrics.Read(g.samples)
	g.round++
}

// Goroutines returns the first sample, and the number of the round.
func (g *Gauges) Goroutines() (uint64, int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	first := g.samples[0].Value
	if first.Kind() != metrics.KindUint64 {
		return 0, g.round
	}
	return first.Uint64(), g.round
}

func main() {
	gauges := NewGauges("/sched/goroutines:goroutines")
	done := make(chan bool)
	go func() {
		gauges.Update()
		done <- true
	}()
	_, round := gauges.Goroutines()
	fmt.Println(round < 2)
	<-done
}
