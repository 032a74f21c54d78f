// Command panic_in_deferred panics in a deferred call, and recovers in another one.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func (c *Clock) Set(hours, minutes int) {
	defer func() {
		if recover() != nil {
			c.mu.Lock()
			c.minutes = minutes // the lock was free
			c.mu.Unlock()
		}
	}()
	c.mu.Lock()
	defer c.mu.Unlock()
	defer finish(minutes)
	c.hours = hours
}

func finish(minutes int) {
	if minutes > 0 {
		panic("again")
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
	wg.Go(func() { c.Set(1, 2) })
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
