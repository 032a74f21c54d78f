// Command handed_out_twice_fixed hands the objects of a slice out twice.
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

func work(c *Clock, n int) {
	c.Set(n, n)
	println(c.Get())
}

func main() {
	var clocks []*Clock
	for range 3 {
		clocks = append(clocks, &Clock{})
	}
	for round := range 2 {
		var wg sync.WaitGroup
		for _, c := range clocks {
			wg.Go(func() { work(c, round) })
		}
		wg.Wait()
	}
}
