// Command cond_only_lock_fixed is a counter whose only lock is that of its condition variable.
package main

import (
	"fmt"
	"sync"
)

// Counter is a counter with waiters.
type Counter struct {
	cond  sync.Cond
	value int
	ups   int
}

// NewCounter returns a counter.
func NewCounter() *Counter {
	c := &Counter{}
	c.cond.L = new(sync.Mutex)
	return c
}

// Up adds one.
func (c *Counter) Up() {
	c.cond.L.Lock()
	defer c.cond.L.Unlock()
	c.value++
	c.ups++
	c.cond.Broadcast()
}

// Await waits for a value, and takes it.
func (c *Counter) Await(n int) int {
	c.cond.L.Lock()
	defer c.cond.L.Unlock()
	for c.value < n {
		c.cond.Wait()
	}
	c.value -= n
	return c.ups
}

func main() {
	for range 2 {
		c := NewCounter()
		var wg sync.WaitGroup
		wg.Go(c.Up)
		wg.Go(c.Up)
		wg.Go(func() { fmt.Println(c.Await(2)) })
		wg.Wait()
	}
}
