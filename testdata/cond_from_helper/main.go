// Command cond_from_helper is a bounded queue whose condition variables a helper makes. Put
// counts on from the size that it saw before it waited for room.
package main

import (
	"fmt"
	"sync"
)

// Queue is a bounded queue.
type Queue struct {
	mu       sync.Mutex
	notEmpty *sync.Cond
	notFull  *sync.Cond
	items    []int
	size     int
}

func condOn(l sync.Locker) *sync.Cond { return sync.NewCond(l) }

// NewQueue returns an empty queue.
func NewQueue() *Queue {
	q := &Queue{}
	q.notEmpty = condOn(&q.mu)
	q.notFull = condOn(&q.mu)
	return q
}

// Put waits for room.
func (q *Queue) Put(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := q.size
	for q.size == 4 {
		q.notFull.Wait()
	}
	q.items = append(q.items, v)
	q.size = n + 1
	q.notEmpty.Signal()
}

// Get waits for an item.
func (q *Queue) Get() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.size == 0 {
		q.notEmpty.Wait()
	}
	v := q.items[0]
	q.items = q.items[1:]
	q.size--
	q.notFull.Signal()
	return v
}

func main() {
	q := NewQueue()
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { q.Put(i) })
		wg.Go(func() { fmt.Println(q.Get()) })
	}
	wg.Wait()
}
