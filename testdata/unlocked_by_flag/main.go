// Command unlocked_by_flag remembers in a captured variable whether the lock has been released.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func (c *Clock) Set(hours, minutes int) {
	locked := true
	c.mu.Lock()
	defer func() {
		if locked {
			c.mu.Unlock()
		}
	}()
	c.hours = hours
	c.mu.Unlock()
	locked = false
	c.mu.Lock() // half set
	locked = true
	c.minutes = minutes
	if minutes > 59 {
		c.mu.Unlock()
		locked = false
		println("late")
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
