// Command begin_returns_error asks a method for an error, or the lock.
package main

import (
	"errors"
	"fmt"
	"sync"
)

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

var errHour = errors.New("no such hour")

// begin locks the clock, or returns an error.
func (c *Clock) begin(hours int) error {
	c.mu.Lock()
	if hours < 0 {
		c.mu.Unlock()
		return fmt.Errorf("hour %d", hours)
	}
	if hours > 23 {
		c.mu.Unlock()
		return errHour
	}
	return nil
}

func (c *Clock) Set(hours, minutes int) error {
	if err := c.begin(hours); err != nil {
		c.hours = 0 // without the lock
		c.minutes = 0
		return err
	}
	defer c.mu.Unlock()
	c.hours = hours
	c.minutes = minutes
	return nil
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
	wg.Go(func() {
		c.Set(1, 30)
		c.Set(24, 0)
	})
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
