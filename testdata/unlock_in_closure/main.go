// Command unlock_in_closure locks by methods that return a closure that unlocks and does something more.
package main

import (
	"fmt"
	"sync"
)

// Gauge is a range that grows.
type Gauge struct {
	mu       sync.RWMutex
	low      int
	high     int
	sections int
}

// write locks for writing, and returns what ends that.
func (g *Gauge) write() func() {
	g.mu.Lock()
	g.sections++
	return func() {
		g.sections--
		g.mu.Unlock()
	}
}

// read locks for reading, and returns what ends that.
func (g *Gauge) read() func() {
	g.mu.RLock()
	return func() { g.mu.RUnlock() }
}

// Include makes the range include a value.
func (g *Gauge) Include(v int) {
	defer g.write()()
	g.low = min(g.low, v)
	g.high = max(g.high, v)
}

// Range returns the range.
func (g *Gauge) Range() (int, int) {
	done := g.read()
	low := g.low
	done()
	high := g.high
	return low, high
}

func main() {
	gauges := map[string]*Gauge{"a": {}, "b": {}}
	var wg sync.WaitGroup
	for _, g := range gauges {
		for i := range 3 {
			wg.Go(func() { g.Include(i) })
			wg.Go(func() { fmt.Println(g.Range()) })
		}
	}
	wg.Wait()
}
