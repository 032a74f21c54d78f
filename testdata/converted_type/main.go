// Command converted_type converts a pointer to one of another type with the same fields.
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

// Watch has the fields of a Clock, and other methods.
type Watch Clock

func (w *Watch) Show() {
	c := (*Clock)(w)
	println(c.Get())
}

func main() {
	c := &Clock{}
	w := (*Watch)(c)
	var wg sync.WaitGroup
	wg.Go(func() { c.Set(3, 4) })
	wg.Go(w.Show)
	wg.Wait()
}
