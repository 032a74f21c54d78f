// Command local_per_goroutine makes an object in each goroutine.
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

var last *Clock

func work(hours int) {
	c := &Clock{}
	last = c // for anybody
	c.Set(hours, 0)
	println(last.Get())
}

func main() {
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { work(i) })
	}
	wg.Wait()
}
