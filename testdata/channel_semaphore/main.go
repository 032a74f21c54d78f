// Command channel_semaphore lets workers use a meter that is not safe for concurrent
// use, with a channel as semaphore. It has room for two.
package main

import (
	"fmt"
	"sync"
)

// Meter is a measurement and its unit.
type Meter struct {
	value int
	unit  string
}

// Set notes a measurement.
func (m *Meter) Set(value int, unit string) {
	m.value = value
	m.unit = unit
}

func main() {
	m := &Meter{}
	sem := make(chan struct{}, 2) // should be 1
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			sem <- struct{}{}
			defer func() { <-sem }()
			m.Set(i, "V")
		})
	}
	wg.Wait()
	fmt.Println(m.value, m.unit)
}
