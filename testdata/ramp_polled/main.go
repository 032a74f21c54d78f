// Command ramp_polled polls until a ramp is free, and looks again with the lock.
package main

import (
	"sync"
	"time"
)

// Ramp has room for some cars.
type Ramp struct {
	mu     sync.Mutex
	cars   int
	closed bool
}

// free reports whether a car may come.
func (r *Ramp) free() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.closed && r.cars < 2
}

// Come waits for room, and reports whether there still is.
func (r *Ramp) Come() bool {
	for !r.free() {
		time.Sleep(time.Millisecond)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed { // BUG: not what was asked before
		return false
	}
	r.cars++
	return true
}

// Leave lets all cars leave.
func (r *Ramp) Leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = false
	r.cars = 0
}

func main() {
	ramp := &Ramp{closed: true}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { ramp.Come() })
	}
	wg.Go(ramp.Leave)
	wg.Wait()
}
