// Command defer_in_branch defers in branches of the control flow.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func (c *Clock) Set(hours, minutes int) {
	if hours < 24 {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.hours = hours
	} else {
		c.mu.Lock()
		c.hours = 0
		c.mu.Unlock()
		c.mu.Lock() // only on this way
		defer c.mu.Unlock()
	}
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
	wg.Go(func() {
		c.Set(1, 2)
		c.Set(24, 0)
	})
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
