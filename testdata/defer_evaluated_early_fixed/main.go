// Command defer_evaluated_early_fixed defers the unlock of a clock, and then uses the variable for another one.
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
	c.minutes = minutes
	mu := c.next()
	mu.Lock()
	c = &other // the deferred call has its receiver already
	mu.Unlock()
}

// next returns the lock of the next clock.
func (c *Clock) next() sync.Locker {
	return &other.mu
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
