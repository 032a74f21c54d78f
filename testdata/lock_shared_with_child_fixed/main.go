// Command lock_shared_with_child_fixed makes clocks with locks of their own, behind pointers.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             *sync.Mutex
	hours, minutes int
}

func NewClock() *Clock { return &Clock{mu: new(sync.Mutex)} }

// Reset waits for another clock.
func (c *Clock) Reset(other *Clock) {
	c.mu.Lock()
	c.hours = 0
	other.mu.Lock() // another lock
	other.mu.Unlock()
	c.minutes = 0
	c.mu.Unlock()
}

func (c *Clock) Get() (int, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	hours := c.hours
	minutes := c.minutes
	return hours, minutes
}

func main() {
	var wg sync.WaitGroup
	c := NewClock()
	child := NewClock()
	wg.Go(func() { c.Reset(child) })
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
