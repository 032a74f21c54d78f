// Command never_returns_fixed calls a function that never returns.
package main

import (
	"os"
	"sync"
)

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func fail(message string) {
	println(message)
	panic(message)
}

func (c *Clock) Set(hours, minutes int) {
	c.mu.Lock()
	if hours > 23 {
		c.mu.Unlock()
		fail("no such hour")
	}
	c.hours = hours
	c.minutes = minutes
	c.mu.Unlock()
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
	hours := 24
	if len(os.Args) > 1 {
		hours = 23
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		c.Set(hours-1, 0)
		c.Set(hours, 0)
	})
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
