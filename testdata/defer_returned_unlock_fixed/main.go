// Command defer_returned_unlock_fixed locks by a method that returns the function that unlocks.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

// lock locks the clock and returns how to unlock it.
func (c *Clock) lock() (unlock func()) {
	c.mu.Lock()
	return c.mu.Unlock
}

func (c *Clock) Set(hours, minutes int) {
	defer c.lock()()
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
	wg.Go(func() { c.Set(1, 2) })
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
