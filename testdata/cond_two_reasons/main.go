// Command cond_two_reasons passes values through a queue that is finished at some time.
// Take lets go of the lock between waiting for a value and taking it.
package main

import (
	"fmt"
	"sync"
)

// Queue holds values until they are taken.
type Queue struct {
	mu       sync.Mutex
	changed  sync.Cond
	items    []int
	finished bool
}

// NewQueue returns an empty queue.
func NewQueue() *Queue {
	q := &Queue{}
	q.changed.L = &q.mu
	return q
}

// Finish puts the last value.
func (q *Queue) Finish(v int) {
	q.mu.Lock()
	q.items = append(q.items, v)
	q.finished = true
	q.mu.Unlock()
	q.changed.Broadcast()
}

// Take waits for a value; ok is false if there is none any more.
func (q *Queue) Take() (v int, ok bool) {
	if !q.wait() {
		return 0, false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	v = q.items[0] // may be somebody else's by now
	q.items = q.items[1:]
	return v, true
}

// wait waits until there is a value, or the queue is finished.
func (q *Queue) wait() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.finished {
		q.changed.Wait()
	}
	return len(q.items) > 0
}

func main() {
	q := NewQueue()
	var wg sync.WaitGroup
	wg.Go(func() { q.Finish(1) })
	v, last := q.Take()
	fmt.Println(v, last)
	wg.Wait()
}
