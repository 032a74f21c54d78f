// Command read_lock_write takes samples in two goroutines. Record writes under
// the read lock, which other writers can hold at the same time: samples get
// lost.
package main

import (
	"fmt"
	"sync"
)

// Gauge keeps the sum of samples and their number.
type Gauge struct {
	mu      sync.RWMutex
	total   int
	samples int
}

// Record adds a sample.
func (g *Gauge) Record(value int) {
	g.mu.RLock() // must be Lock
	defer g.mu.RUnlock()
	g.total += value
	g.samples++
}

// Mean returns the mean of the samples, or 0 if there are none.
func (g *Gauge) Mean() int {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.samples == 0 {
		return 0
	}
	return g.total / g.samples
}

func main() {
	gauge := &Gauge{}

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		gauge.Record(20)
	}()
	go func() {
		defer wg.Done()
		gauge.Record(22)
	}()
	wg.Wait()

	fmt.Println("mean:", gauge.Mean())
}
