// Command lock_behind_interface holds its lock in a field of interface type.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
	lock           sync.Locker
}

func NewClock() *Clock {
	c := &Clock{}
	c.lock = &c.mu
	return c
}

func locked(l sync.Locker, f func()) {
	l.Lock()
	defer l.Unlock()
	f()
}

func (c *Clock) Set(hours, minutes int) {
	locked(c.lock, func() { c.hours = hours })
	locked(c.lock, func() { c.minutes = minutes })
}

func (c *Clock) Get() (int, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	hours := c.hours
	minutes := c.minutes
	return hours, minutes
}

func main() {
	c := NewClock()
	var wg sync.WaitGroup
	wg.Go(func() { c.Set(1, 60) })
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
