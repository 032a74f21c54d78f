// Command worker_object_shared_fixed gives two workers one object.
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

type worker struct{ clock *Clock }

func newWorker(c *Clock) *worker { return &worker{clock: c} }

func (w *worker) run(n int) {
	w.clock.Set(n, 0)
	println(w.clock.Get())
}

func main() {
	var wg sync.WaitGroup
	for i := range 3 {
		a := newWorker(&Clock{})
		wg.Go(func() { a.run(i) })
	}
	wg.Wait()
}
