// Command flow_list_fixed keeps the object in a list of the standard library.
package main

import (
	"container/list"
	"sync"
)

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

func main() {
	clocks := list.New()
	clocks.PushBack(&Clock{})
	set := func(l *list.List) {
		for e := l.Front(); e != nil; e = e.Next() {
			e.Value.(*Clock).Set(1, 2)
		}
	}

	var wg sync.WaitGroup
	wg.Go(func() { set(clocks) })
	wg.Go(func() { println(clocks.Front().Value.(*Clock).Get()) })
	wg.Wait()
}
