// Command recover_in_loop_fixed recovers in each iteration of a loop.
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
	for _, value := range []int{hours, minutes} {
		c.step(value, value == minutes)
	}
}

// step sets one field, with the lock held.
func (c *Clock) step(value int, second bool) {
	defer func() {
		if recover() != nil {
			println("no such value")
		}
	}()
	if value > 59 {
		panic("no such value")
	}
	if second {
		c.minutes = value
	} else {
		c.hours = value
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
	wg.Go(func() {
		c.Set(1, 60)
		c.Set(2, 30)
	})
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
