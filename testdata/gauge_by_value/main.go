// Command gauge_by_value has a gauge that a constructor returns by value. Its lock
// is behind a pointer.
package main

import "sync"

// Gauge remembers the highest value.
type Gauge struct {
	mu   *sync.Mutex
	high int
}

// newGauge returns a gauge that begins at a value.
func newGauge(high int) Gauge {
	g := Gauge{mu: new(sync.Mutex)}
	g.high = high
	return g
}

// High returns the highest value.
func (g *Gauge) High() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.high
}

// Raise takes down a value.
func (g *Gauge) Raise(value int) {
	if value <= g.High() {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.high = value // BUG: may be lower than what is there by now
}

func main() {
	pressure := newGauge(1)
	temperature := newGauge(15)
	var wg sync.WaitGroup
	for _, value := range []int{20, 80, 50} {
		wg.Go(func() { temperature.Raise(value) })
	}
	wg.Go(func() { pressure.Raise(2) })
	wg.Wait()
	if temperature.High() <= pressure.High() {
		panic("cold")
	}
}
