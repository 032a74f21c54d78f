// Command worker_struct gives each worker an object in one of its fields.
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
	id    int
	clock *Clock
}

func (w *worker) run() {
	w.clock.Set(w.id, 0)
	println(w.clock.Get())
}

func main() {
	shared := &Clock{}
	var wg sync.WaitGroup
	for i := range 3 {
		w := &worker{i, shared}
		wg.Go(w.run)
	}
	wg.Wait()
}
