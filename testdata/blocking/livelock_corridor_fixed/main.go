// Command livelock_corridor_fixed: two who meet in a corridor say that they want to pass. Who sees that the other one wants
// so, too, gives way only if it is the turn of the other one, and whose turn it is changes only after he has passed.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

type corridor struct {
	wants  [2]atomic.Bool
	turn   atomic.Int32
	passed int
}

func (c *corridor) pass(me, other int32) {
	c.wants[me].Store(true)
	for c.wants[other].Load() {
		if c.turn.Load() == me {
			continue
		}
		c.wants[me].Store(false)
		for c.turn.Load() != me {
			runtime.Gosched()
		}
		c.wants[me].Store(true)
	}
	c.passed++
	c.turn.Store(other)
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
