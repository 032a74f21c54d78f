// Command registered_later_fixed registers a meter before it is used by two.
package main

import "sync"

// Meter is the sum of what was measured and how often that was.
type Meter struct {
	mu         sync.Mutex
	sum, count int
}

var registered *Meter

// Add adds a measurement.
func (m *Meter) Add(n int) {
	if m != registered {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sum += n
	m.count++
}

func main() {
	m := &Meter{}
	registered = m
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { m.Add(i) })
	}
	wg.Wait()
	println(m.sum, m.count)
}
