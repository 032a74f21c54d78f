// Command goto_retry retries by goto, with the lock released in between.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func (c *Clock) Set(hours, minutes int) {
	tries := 0
	c.mu.Lock()
retry:
	tries++
	if tries < 3 {
		goto retry
	}
	c.hours = hours
	if minutes > 59 {
		goto late
	}
	c.minutes = minutes
	c.mu.Unlock()
	return
late:
	c.mu.Unlock()
	c.mu.Lock() // half set
	c.minutes = 59
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
	var wg sync.WaitGroup
	wg.Go(func() { c.Set(1, 60) })
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
