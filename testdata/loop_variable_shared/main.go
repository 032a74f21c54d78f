//go:build go1.21

// Command loop_variable_shared starts goroutines that capture a loop variable, in a file of Go 1.21.
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

func work(c *Clock, n int) {
	c.Set(n, n)
	println(c.Get())
}

func main() {
	var wg sync.WaitGroup
	for _, c := range []*Clock{{}, {}} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			work(c, 1) // c is one variable for all
		}()
		println("started")
	}
	wg.Wait()
}
