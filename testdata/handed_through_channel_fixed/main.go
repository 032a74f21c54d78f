// Command handed_through_channel_fixed hands objects to workers through a channel.
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

func work(jobs <-chan *Clock, wg *sync.WaitGroup) {
	defer wg.Done()
	for c := range jobs {
		c.Set(1, 2)
		println(c.Get())
	}
}

func main() {
	jobs := make(chan *Clock)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go work(jobs, &wg)
	}
	for i := range 3 {
		c := &Clock{}
		c.Set(i, i)
		println(c.Get())
		jobs <- c
	}
	close(jobs)
	wg.Wait()
}
