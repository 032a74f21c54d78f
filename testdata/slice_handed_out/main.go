// Command slice_handed_out hands the objects of a slice out to goroutines.
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
	c.mu.Unlock()
	c.mu.Lock() // the clock may be set here
	minutes := c.minutes
	c.mu.Unlock()
	return hours, minutes
}

func main() {
	var clocks []*Clock
	for range 3 {
		clocks = append(clocks, &Clock{})
	}
	var wg sync.WaitGroup
	for i := range clocks {
		wg.Go(func() {
			clock := clocks[0] // the same for all
			clock.Set(i, i)
			println(clock.Get())
		})
	}
	wg.Wait()
}
