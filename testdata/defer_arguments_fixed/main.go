// Command defer_arguments_fixed defers a call whose argument is read at once.
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

// Show prints the clock.
func (c *Clock) Show() {
	c.mu.Lock()
	defer show("m", c.minutes) // reads now, prints later
	defer c.mu.Unlock()
	show("h", c.hours)
}

func show(unit string, n int) { println(n, unit) }

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
	wg.Go(func() { c.Set(1, 2) })
	wg.Go(func() { c.Show() })
	wg.Wait()
	println(c.Get())
}
