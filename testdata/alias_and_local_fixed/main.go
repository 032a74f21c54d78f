// Command alias_and_local_fixed names types by aliases and in functions.
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

type watch = Clock

type pointer[T any] = *T

func show(p pointer[watch]) { println(p.Get()) }

func main() {
	type desk struct {
		name string
		*watch
	}
	d := desk{"oak", &Clock{}}
	room := struct{ desk }{d}
	var wg sync.WaitGroup
	wg.Go(func() { room.Set(3, 4) })
	wg.Go(func() { show(d.watch) })
	wg.Wait()
}
