// Command flow_getter gets the object through getters and helper functions.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func (c *Clock) Set(hours, minutes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hours = hours
	c.minutes = minutes
}

func (c *Clock) Get() (int, int) {
	c.mu.Lock()
	hours := c.hours
	c.mu.Unlock()
	c.mu.Lock() // the clock may be set here
	minutes := c.minutes
	c.mu.Unlock()
	return hours, minutes
}

type house struct{ room *room }
type room struct{ clock *Clock }

func (h *house) Room() *room  { return h.room }
func (r *room) Clock() *Clock { return r.clock }
func clockOf(h *house) *Clock { return h.Room().Clock() }
func pick(c, d *Clock) *Clock {
	if c != nil {
		return c
	}
	return d
}

func main() {
	h := &house{&room{&Clock{}}}

	var wg sync.WaitGroup
	wg.Go(func() { clockOf(h).Set(1, 2) })
	wg.Go(func() { println(pick(nil, h.Room().Clock()).Get()) })
	wg.Wait()
}
