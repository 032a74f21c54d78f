// Command panic_holds_lock_fixed takes a lock that a recovered panic may have left taken.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

// Set is called with the lock held, unless Lock has panicked.
func (c *Clock) Set(hours, minutes int) {
	c.enter(hours)
	c.hours = hours
	c.minutes = minutes
	c.leave()
}

// enter locks the clock.
func (c *Clock) enter(hours int) {
	defer func() {
		if recover() != nil {
			println("no such hour")
		}
	}()
	c.mu.Lock()
	if hours > 23 {
		panic("no such hour")
	}
}

func (c *Clock) leave() {
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
	c := &Clock{}
	var wg sync.WaitGroup
	wg.Go(func() { c.Set(24, 0) })
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
