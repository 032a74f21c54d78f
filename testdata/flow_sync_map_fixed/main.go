// Command flow_sync_map_fixed keeps the object in a sync.Map.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func (c *Clock) Set(hours, minutes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hours = hours
	c.minutes = minutes
}

func (c *Clock) Get() (int, int) {
	c.mu.Lock()
	hours := c.hours
	minutes := c.minutes
	c.mu.Unlock()
	return hours, minutes
}

func main() {
	var clocks sync.Map
	clocks.Store("home", &Clock{})

	var wg sync.WaitGroup
	wg.Go(func() {
		c, _ := clocks.Load("home")
		c.(*Clock).Set(1, 2)
	})
	wg.Go(func() {
		clocks.Range(func(_, c any) bool {
			println(c.(*Clock).Get())
			return true
		})
	})
	wg.Wait()
}
