// Command clock_by_hand_fixed moves a clock, and reads it with the lock held.
package main

import (
	"sync"
	"time"
)

// Clock is moved by hand; moved counts how often.
type Clock struct {
	mu    sync.Mutex
	now   time.Time
	moved int
}

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Add moves the clock on.
func (c *Clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.moved++
}

// Set moves the clock to a time in some zone.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t.Round(0)
	c.moved++
}

func main() {
	c := &Clock{now: time.Unix(0, 0)}
	var all sync.WaitGroup
	all.Go(func() { c.Add(time.Hour) })
	all.Go(func() { c.Set(time.Unix(86400, 0).In(time.UTC)) })
	all.Wait()
}
