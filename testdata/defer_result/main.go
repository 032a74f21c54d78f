// Command defer_result defers a closure that changes the named result.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func (c *Clock) Set(hours, minutes int) { c.update(func() { c.hours = hours; c.minutes = minutes }) }

// update runs a change with the lock held.
func (c *Clock) update(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}

// Sum returns the minutes since midnight.
func (c *Clock) Sum() (sum int) {
	defer func() { // runs when the lock is free
		c.mu.Lock()
		defer c.mu.Unlock()
		sum += c.minutes
	}()
	c.mu.Lock()
	defer c.mu.Unlock()
	return 60 * c.hours
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
	wg.Go(func() { println(c.Sum()) })
	wg.Wait()
	println(c.Get())
}
