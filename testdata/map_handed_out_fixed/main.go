// Command map_handed_out_fixed hands the objects of a map out to goroutines, one for each key.
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
	clocks := map[string]*Clock{}
	for _, city := range []string{"rome", "oslo"} {
		clocks[city] = &Clock{}
	}
	var wg sync.WaitGroup
	for city, clock := range clocks {
		wg.Go(func() {
			clock.Set(len(city), 0)
			println(clock.Get())
		})
	}
	wg.Wait()
}
