// Command same_condition_fixed locks and unlocks under one condition.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func (c *Clock) Set(hours, minutes int) {
	late := hours > 11
	if late {
		c.mu.Lock()
	}
	println("set")
	if late {
		c.hours = hours
		c.minutes = minutes
		c.mu.Unlock()
	}
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
		c.Set(1, 30)
		c.Set(13, 30)
	})
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
