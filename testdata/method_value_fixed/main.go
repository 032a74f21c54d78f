// Command method_value_fixed hands method values to goroutines.
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
	minutes := c.minutes
	c.mu.Unlock()
	return hours, minutes
}

func later(set func(int, int)) { set(1, 2) }

func main() {
	c := &Clock{}
	get, set := c.Get, c.Set
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		later(set)
	}()
	go func(read func() (int, int)) {
		defer wg.Done()
		println(read())
	}(get)
	wg.Wait()
}
