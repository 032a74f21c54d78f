// Command defer_evaluated_early defers the unlock of a clock, and then uses the variable for another one.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

var other Clock

func (c *Clock) Set(hours, minutes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hours = hours
	c.next().Unlock()
	c.mu.Lock()
	c.minutes = minutes
}

// next returns the lock of the next clock.
func (c *Clock) next() sync.Locker {
	if other.hours > 24 {
		return &other.mu
	}
	return &c.mu // of the wrong one
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
