// Command handed_out_two_keys_fixed hands out the objects of a map, where one has two names.
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
	clocks := map[string]*Clock{}
	for _, name := range []string{"a", "b"} {
		c := &Clock{}
		clocks[name] = c
	}
	var wg sync.WaitGroup
	for name, c := range clocks {
		wg.Go(func() { work(c, len(name)) })
	}
	wg.Wait()
}
