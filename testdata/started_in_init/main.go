// Command started_in_init starts a goroutine in an init function.
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

var (
	clock = newClock()
	ready sync.WaitGroup
)

func newClock() *Clock {
	c := &Clock{}
	c.Set(12, 0)
	return c
}

func init() {
	ready.Go(func() { clock.Set(7, 30) })
}

func main() {
	println(clock.Get()) // the goroutine may be at work
	ready.Wait()
}
