// Command cond_own_locker is a counter that uses the lock which its condition variable was made with.
// Await takes the value down when it has let go of it.
package main

import (
	"fmt"
	"sync"
)

// Counter is a counter with waiters.
type Counter struct {
	cond  *sync.Cond
	value int
	ups   int
}

// NewCounter returns a counter.
func NewCounter() *Counter { return &Counter{cond: sync.NewCond(&sync.Mutex{})} }

// Up adds one.
func (c *Counter) Up() {
	c.cond.L.Lock()
	c.value++
	c.ups++
	c.cond.L.Unlock()
	c.cond.Broadcast()
}

// Await waits for a value, and takes it.
func (c *Counter) Await(n int) int {
	c.cond.L.Lock()
	for c.value < n {
		c.cond.Wait()
	}
	ups := c.ups
	c.cond.L.Unlock()
	c.value -= n
	return ups
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
