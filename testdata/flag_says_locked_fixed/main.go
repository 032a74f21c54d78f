// Command flag_says_locked_fixed tells a helper by a flag that the lock is held.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func (c *Clock) Set(hours, minutes int) {
	c.set(hours, minutes, false)
}

// set needs the lock, and takes it if it is not held.
func (c *Clock) set(hours, minutes int, locked bool) {
	if !locked {
		c.mu.Lock()
		defer c.mu.Unlock()
	}
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
	wg.Go(func() { c.Set(1, 60) })
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
