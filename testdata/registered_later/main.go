// Command registered_later locks a meter if it is the registered one, and uses it
// before it is that.
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
	if m == registered {
		m.mu.Lock()
		defer m.mu.Unlock()
	}
	m.sum += n
	m.count++
}

func main() {
	m := &Meter{}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { m.Add(i) })
	}
	wg.Wait()
	registered = m
	m.Add(3)
	println(m.sum, m.count)
}
