// Command flow_interface_field_fixed stores the object in a field of interface type, and finds it again by a type assertion.
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
	minutes := c.minutes
	c.mu.Unlock()
	return hours, minutes
}

type slot struct {
	name  string
	value any
}

func main() {
	s := slot{"clock", &Clock{}}
	slots := []slot{{"none", nil}, s}

	var wg sync.WaitGroup
	wg.Go(func() { slots[1].value.(*Clock).Set(1, 2) })
	wg.Go(func() {
		if c, ok := s.value.(interface{ Get() (int, int) }); ok {
			println(c.Get())
		}
	})
	wg.Wait()
}
