// Command lock_of_its_own makes clocks with locks of their own, behind pointers.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             *sync.Mutex
	hours, minutes int
}

func NewClock() *Clock { return &Clock{mu: new(sync.Mutex)} }

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

func main() {
	var wg sync.WaitGroup
	for range 2 {
		c := NewClock()
		wg.Go(func() { c.Set(1, 2) })
		wg.Go(func() { println(c.Get()) })
	}
	wg.Wait()
}
