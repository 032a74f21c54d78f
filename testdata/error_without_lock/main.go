// Command error_without_lock returns no error on a way on which the lock is not taken.
package main

import (
	"errors"
	"sync"
)

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func (c *Clock) begin(hours int) error {
	if hours == 24 {
		return nil // not locked
	}
	c.mu.Lock()
	if hours > 24 {
		c.mu.Unlock()
		return errors.New("no such hour")
	}
	return nil
}

func (c *Clock) Set(hours, minutes int) {
	err := c.begin(hours)
	if err != nil {
		return
	}
	c.hours = hours
	c.minutes = minutes
	if hours != 24 {
		c.mu.Unlock()
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
	wg.Go(func() { c.Set(24, 60) })
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
