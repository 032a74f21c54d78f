// Command recover_own_panic_fixed recovers from a panic of its own, and repairs the clock.
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
	defer func() {
		if r := recover(); r != nil {
			c.minutes = 0
		}
	}()
	c.hours = hours
	if minutes > 59 {
		panic("no such minute")
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
	wg.Go(func() { c.Set(1, 60) })
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
