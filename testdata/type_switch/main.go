// Command type_switch does what a message asks for.
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

type (
	setTo  struct{ clock *Clock }
	report struct{ clock *Clock }
	quit   struct{}
)

// do executes a message and tells whether to go on.
func do(message any) bool {
	switch m := message.(type) {
	case setTo:
		m.clock.Set(1, 2)
	case *report:
		println(m.clock.Get())
	case nil, quit:
		return false
	}
	return true
}

func main() {
	c := &Clock{}
	var wg sync.WaitGroup
	wg.Go(func() { do(setTo{c}) })
	wg.Go(func() { do(&report{c}) })
	wg.Wait()
	do(quit{})
}
