// Command handed_through_stages hands objects through two channels.
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
	in, out := make(chan *Clock, 2), make(chan *Clock, 2)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for c := range in {
				c.Set(1, 2)
				out <- c
				println(c.Get()) // may be at the next stage
			}
		})
	}
	for range 2 {
		c := &Clock{}
		in <- c
	}
	close(in)
	for range 2 {
		c := <-out
		c.Set(3, 4)
		println(c.Get())
	}
	wg.Wait()
}
