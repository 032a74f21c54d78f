// Command range_func_late_write defers a write in the body of a loop over a function.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func once(yield func(int) bool) { yield(1) }

func (c *Clock) Set(hours, minutes int) {
	for n := range once {
		c.mu.Lock()
		c.hours = hours
		defer c.setMinutes(minutes * n) // when Set returns, not here
		c.mu.Unlock()
	}
}

func (c *Clock) setMinutes(minutes int) {
	c.minutes = minutes
}

func (c *Clock) Get() (int, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	hours := c.hours
	minutes := c.minutes
	return hours, minutes
}

func main() {
	c := &Clock{}
	var wg sync.WaitGroup
	wg.Go(func() { c.Set(1, 2) })
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
