// Command worker_object_replaced gives workers objects of their own, and replaces them.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func (c *Clock) Set(hours, minutes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hours = hours
	c.minutes = minutes
}

func (c *Clock) Get() (int, int) {
	c.mu.Lock()
	hours := c.hours
	c.mu.Unlock()
	c.mu.Lock() // the clock may be set here
	minutes := c.minutes
	c.mu.Unlock()
	return hours, minutes
}

type worker struct {
	clock *Clock
	n     int
}

func (w *worker) run() {
	w.clock.Set(w.n, 0)
	println(w.clock.Get())
}

func main() {
	var wg sync.WaitGroup
	var last *worker
	for i := range 3 {
		w := &worker{&Clock{}, i}
		if last != nil {
			w.clock = last.clock // in place of its own
		}
		last = w
		wg.Go(w.run)
	}
	wg.Wait()
}
