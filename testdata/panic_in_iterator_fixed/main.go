// Command panic_in_iterator_fixed panics in the body of a loop over a function, with a deferred unlock there.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func once(yield func(int) bool) {
	defer println("done")
	yield(1)
}

func (c *Clock) Set(hours, minutes int) {
	defer func() {
		if recover() != nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.minutes = 0
		}
	}()
	for n := range once {
		c.mu.Lock()
		defer c.mu.Unlock()
		if minutes*n > 59 {
			panic("no such minute")
		}
		c.hours = hours
		c.minutes = minutes
	}
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
	wg.Go(func() { c.Set(1, 60) })
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
