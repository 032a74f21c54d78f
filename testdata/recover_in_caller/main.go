// Command recover_in_caller recovers in the caller of the caller of a method that panics.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func (c *Clock) Set(hours, minutes int) {
	defer func() {
		if recover() != nil {
			c.mu.Lock() // set has released the lock
			defer c.mu.Unlock()
			c.minutes = 0
		}
	}()
	c.try(hours, minutes)
}

// try does its best.
func (c *Clock) try(hours, minutes int) {
	defer println("tried")
	c.set(hours, minutes)
}

func (c *Clock) set(hours, minutes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
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
