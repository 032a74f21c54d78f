// Command livelock_corridor: two who meet in a corridor say that they want to pass. Who sees that the other one wants so,
// too, gives way, and asks again. They can do so at the same time for ever.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

type corridor struct {
	wants  [2]atomic.Bool
	passed int
}

func (c *corridor) pass(me, other int) {
	c.wants[me].Store(true)
	// confirm: no, no run shows that it goes on for ever
	for c.wants[other].Load() { // want livelock
		c.wants[me].Store(false)
		runtime.Gosched()
		c.wants[me].Store(true)
	}
	c.passed++
	c.wants[me].Store(false)
}

func main() {
	c := &corridor{}
	var all sync.WaitGroup
	all.Add(1)
	go func() {
		defer all.Done()
		c.pass(1, 0)
	}()
	c.pass(0, 1)
	all.Wait()
	fmt.Println(c.passed)
}
