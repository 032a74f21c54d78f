// Command livelock_counted: two moves between the same shelves count, under a lock of its own, how often they had to try
// again. They still do not get on if they do so at the same time for ever.
package main

import (
	"fmt"
	"sync"
	"time"
)

type shelf struct {
	mu    sync.Mutex
	boxes int
}

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

func tryMove(from, to *shelf) bool {
	from.mu.Lock()
	defer from.mu.Unlock()
	// confirm: no, no run shows that it goes on for ever
	if !to.mu.TryLock() { // want livelock
		return false
	}
	defer to.mu.Unlock()
	from.boxes--
	to.boxes++
	return true
}

func move(from, to *shelf, failed *counter) {
	for !tryMove(from, to) {
		failed.add()
		time.Sleep(time.Millisecond)
	}
}

func main() {
	left, right := &shelf{boxes: 3}, &shelf{boxes: 3}
	failed := &counter{}
	var all sync.WaitGroup
	all.Add(1)
	go func() {
		defer all.Done()
		move(left, right, failed)
	}()
	move(right, left, failed)
	all.Wait()
	fmt.Println(left.boxes, right.boxes, failed.n)
}
