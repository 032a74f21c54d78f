// Command closure_counter shares an object through the captured variables of closures.
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

// actions returns two closures over one clock.
func actions() (set func(int), get func()) {
	c := &Clock{}
	times := 0
	set = func(hours int) {
		times++
		c.Set(hours, times)
	}
	get = func() { println(c.Get()) }
	return set, get
}

func main() {
	set, get := actions()
	var wg sync.WaitGroup
	wg.Go(func() { set(4) })
	wg.Go(get)
	wg.Wait()
}
