// Command flow_sorted_fixed finds the object in a slice that a callback sorts.
package main

import (
	"cmp"
	"slices"
	"sync"
)

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

func main() {
	clocks := []*Clock{{}}
	slices.SortFunc(clocks, func(a, b *Clock) int { return cmp.Compare(a.hours, b.hours) })
	first := slices.MinFunc(clocks, func(a, b *Clock) int { return a.minutes - b.minutes })

	var wg sync.WaitGroup
	wg.Go(func() { clocks[0].Set(1, 2) })
	wg.Go(func() { println(first.Get()) })
	wg.Wait()
}
