// Command enter_returns_bool asks a method whether it has locked the clock.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

// enter locks the clock, unless the hour is wrong.
func (c *Clock) enter(hours int) bool {
	c.mu.Lock()
	if hours > 23 {
		c.mu.Unlock()
		return false
	}
	return true
}

func (c *Clock) Set(hours, minutes int) {
	if !c.enter(hours) {
		c.hours = 0 // without the lock
		c.minutes = 0
		return
	}
	defer c.mu.Unlock()
	c.hours = hours
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
		c.Set(1, 30)
		c.Set(24, 0)
	})
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
