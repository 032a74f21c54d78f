// Command interface_implementations_fixed has two implementations of an interface, one of which wraps the other.
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

type setter interface{ Set(hours, minutes int) }

// late sets its clock five minutes late.
type late struct{ setter }

func (l late) Set(hours, minutes int) { l.setter.Set(hours, minutes+5) }

func main() {
	c := &Clock{}
	setters := []setter{c, late{c}}
	var wg sync.WaitGroup
	wg.Go(func() { setters[1].Set(7, 0) })
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
