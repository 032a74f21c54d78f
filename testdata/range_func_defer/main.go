// Command range_func_defer defers an unlock in the body of a loop over a function.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

// locked yields once, for the loop body to lock.
func once(yield func(int) bool) { yield(1) }

func (c *Clock) Set(hours, minutes int) {
	for n := range once {
		c.mu.Lock()
		c.hours = hours * n
		c.mu.Unlock() // should wait until Set returns
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.minutes = minutes
}

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
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
