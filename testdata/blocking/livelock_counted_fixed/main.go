// Command livelock_counted_fixed: two moves between the same shelves take the lock of the left one first. Who has it gets
// the other one as soon as nobody else looks at it; they count, under a lock of its own, how often they had to try again.
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

func tryMove(from, to, first, second *shelf) bool {
	first.mu.Lock()
	defer first.mu.Unlock()
	if !second.mu.TryLock() {
		return false
	}
	defer second.mu.Unlock()
	from.boxes--
	to.boxes++
	return true
}

func move(from, to, first, second *shelf, failed *counter) {
	for !tryMove(from, to, first, second) {
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
		move(left, right, left, right, failed)
	}()
	move(right, left, left, right, failed)
	all.Wait()
	fmt.Println(left.boxes, right.boxes, failed.n)
}
