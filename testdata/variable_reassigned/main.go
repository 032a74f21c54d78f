// Command variable_reassigned lets a closure change the variable that holds the object.
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
	shared := &Clock{}
	var wg sync.WaitGroup
	for n := range 2 {
		c := new(Clock)
		use := func() { c = shared }
		use()
		wg.Go(func() { work(c, n) })
	}
	wg.Wait()
}
