// Command tickets_by_loop has a pool of tickets that a loop puts in, and two of them.
package main

import (
	"fmt"
	"sync"
)

// Pool is tickets.
type Pool struct{ tickets chan struct{} }

// NewPool returns a pool of n tickets.
func NewPool(n int) *Pool {
	p := &Pool{tickets: make(chan struct{}, n)}
	for range n {
		p.tickets <- struct{}{}
	}
	return p
}

// Meter is what was counted.
type Meter struct {
	pool  *Pool
	sum   int
	count int
}

// Add adds a value.
func (m *Meter) Add(v int) {
	<-m.pool.tickets
	defer func() { m.pool.tickets <- struct{}{} }()
	m.sum += v
	m.count++
}

// Mean returns the mean.
func (m *Meter) Mean() int {
	<-m.pool.tickets
	defer func() { m.pool.tickets <- struct{}{} }()
	count := m.count
	if count == 0 {
		return 0
	}
	return m.sum / count
}

func main() {
	m := &Meter{pool: NewPool(2)}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { m.Add(i); fmt.Println(m.Mean()) })
	}
	wg.Wait()
}
