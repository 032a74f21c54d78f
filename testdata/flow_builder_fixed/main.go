// Command flow_builder_fixed builds an object by a chain of calls that return it.
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

type builder struct{ clock *Clock }

func (c *Clock) WithHours(h int) *Clock {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hours = h
	return c
}

func (b builder) Do(change func(*Clock) *Clock) builder {
	b.clock = change(b.clock)
	return b
}

func main() {
	c := (&Clock{}).WithHours(3).WithHours(4)
	c = builder{c}.Do(func(c *Clock) *Clock { return c.WithHours(5) }).clock

	var wg sync.WaitGroup
	wg.Go(func() { c.Set(1, 2) })
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
