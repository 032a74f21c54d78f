// Command locked_at_the_top_fixed locks in the outermost activation of a recursive method only.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func (c *Clock) Set(hours, minutes int) { c.set(hours, minutes, false) }

// set locks if it is not told that the lock is held.
func (c *Clock) set(hours, minutes int, locked bool) {
	if locked {
		c.minutes = minutes
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hours = hours
	c.set(hours, minutes, true)
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
