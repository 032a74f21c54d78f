// Command promoted_through_interface calls methods that are promoted twice, through an interface.
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

type radio struct{ Clock }

type alarm struct {
	*radio
	loud bool
}

// A timer can be set and read.
type timer interface {
	Set(hours, minutes int)
	Get() (int, int)
}

func main() {
	var t timer = alarm{radio: &radio{}}
	var wg sync.WaitGroup
	wg.Go(func() { t.Set(6, 30) })
	wg.Go(func() { println(t.Get()) })
	wg.Wait()
}
