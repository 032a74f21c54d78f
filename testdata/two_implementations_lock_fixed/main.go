// Command two_implementations_lock_fixed asks one of two implementations whether the clock is locked.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

type guard interface{ enter(c *Clock) bool }

type strict struct{}

func (strict) enter(c *Clock) bool {
	c.mu.Lock()
	return true
}

type lax struct{}

func (lax) enter(*Clock) bool { return false }

func (c *Clock) Set(hours, minutes int) { c.setBy(lax{}, hours, minutes) }

func (c *Clock) setBy(g guard, hours, minutes int) {
	if !g.enter(c) {
		return
	}
	c.hours = hours
	c.minutes = minutes
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
	wg.Go(func() { c.Set(24, 60) })
	wg.Go(func() { c.setBy(strict{}, 1, 2) })
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
