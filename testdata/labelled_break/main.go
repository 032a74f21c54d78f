// Command labelled_break leaves two loops at once, with the lock released on that way.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func (c *Clock) Set(hours, minutes int) {
	c.mu.Lock()
	c.hours = hours
search:
	for h := range 24 {
		for m := range 60 {
			switch {
			case h == hours && m == minutes:
				break search
			case m > minutes:
				continue search
			case h > hours:
				c.mu.Unlock()
				c.mu.Lock() // only on this way
				break search
			}
		}
	}
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
	wg.Go(func() { c.Set(1, 60) })
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
