// Command defer_closure_in_loop_fixed locks several clocks in a loop, and unlocks them in deferred closures.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func setAll(clocks []*Clock, hours, minutes int) {
	for _, c := range clocks {
		c.mu.Lock()
		defer func() { c.mu.Unlock() }()
		c.Set(hours, minutes)
	}
}

// Set needs the lock of the clock.
func (c *Clock) Set(hours, minutes int) {
	c.hours = hours
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
	clocks := []*Clock{{}, {}}
	var wg sync.WaitGroup
	wg.Go(func() { setAll(clocks, 1, 2) })
	wg.Go(func() { println(clocks[0].Get()) })
	wg.Wait()
}
