// Command panic_again recovers from a panic and panics again, for the caller to recover.
package main

import (
	"fmt"
	"sync"
)

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func (c *Clock) Set(hours, minutes int) {
	defer func() {
		if recover() != nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.minutes = 0
		}
	}()
	c.set(hours, minutes)
}

func (c *Clock) set(hours, minutes int) {
	c.mu.Lock()
	defer func() {
		r := recover()
		c.mu.Unlock()
		if r != nil {
			panic(fmt.Sprint("set: ", r)) // the clock is half set
		}
	}()
	c.hours = hours
	if minutes > 59 {
		panic("no such minute")
	}
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
	wg.Go(func() { c.Set(1, 60) })
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
