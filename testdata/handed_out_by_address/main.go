// Command handed_out_by_address fills a slice through the addresses of its elements.
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

// fill stores c where the slot is.
func fill(slot **Clock, c *Clock) { *slot = c }

func main() {
	clocks := make([]*Clock, 2)
	for i := range clocks {
		clocks[i] = &Clock{}
	}
	fill(&clocks[1], clocks[0])
	var wg sync.WaitGroup
	for i, c := range clocks {
		wg.Go(func() { work(c, i) })
	}
	wg.Wait()
}
