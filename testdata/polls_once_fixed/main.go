// Command polls_once_fixed sleeps for a while if there is nothing to take yet.
package main

import (
	"fmt"
	"sync"
	"time"
)

// Queue holds what is to be done.
type Queue struct {
	mu    sync.Mutex
	items []int
	pause time.Duration
}

// Put appends an item.
func (q *Queue) Put(item int) {
	q.mu.Lock()
	q.items = append(q.items, item)
	q.mu.Unlock()
}

// Take removes the items, and waits for some if there are none.
func (q *Queue) Take() {
	q.mu.Lock()
	for len(q.items) == 0 {
		q.mu.Unlock()
		time.Sleep(q.pause)
		q.mu.Lock()
	}
	q.items = nil
	q.mu.Unlock()
}

func main() {
	q := &Queue{pause: time.Millisecond}
	done := make(chan bool)
	go func() {
		q.Take()
		done <- true
	}()
	q.Put(1)
	<-done
	fmt.Println("taken")
}
