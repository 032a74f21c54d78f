// Command initialised_first_fixed sets a package variable up in an init function, after the
// initialiser of another one has started a goroutine.
package main

import "sync"

// Clock is hours and minutes. It has no lock.
type Clock struct{ hours, minutes int }

func (c *Clock) Set(hours, minutes int) {
	c.hours = hours
	c.minutes = minutes
}

func (c *Clock) Get() (int, int) {
	hours := c.hours
	minutes := c.minutes
	return hours, minutes
}

var (
	clock   = noon()
	readers = start()
)

// start starts a reader.
func start() *sync.WaitGroup {
	var wg sync.WaitGroup
	wg.Go(func() { println(clock.Get()) })
	return &wg
}

// noon returns a clock; it runs before start, which needs it.
func noon() *Clock {
	c := &Clock{}
	c.Set(12, 0)
	return c
}

func main() { readers.Wait() }
