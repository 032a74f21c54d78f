// Command recover_index recovers from an index out of range inside a critical section.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

var names = []string{"zero", "one", "two"}

func (c *Clock) Set(hours, minutes int) {
	defer func() {
		if recover() != nil {
			c.mu.Lock() // the deferred Unlock has run
			c.minutes = 0
			c.mu.Unlock()
		}
	}()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hours = hours
	println("hour", names[hours])
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
	c := &Clock{}
	var wg sync.WaitGroup
	wg.Go(func() { c.Set(7, 60) })
	wg.Go(func() { println(c.Get()) })
	wg.Wait()
}
