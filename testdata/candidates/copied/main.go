// Command copied makes queues by a function, and copies them to where they stay.
package main

import (
	"fmt"
	"sync"
)

// Queue holds numbers.
type Queue struct {
	mu    *sync.Mutex
	data  []int
	count int
}

// New returns a queue.
func New(size int) *Queue { return &Queue{mu: &sync.Mutex{}, data: make([]int, size)} }

// Push adds a number.
func (q *Queue) Push(v int) {
	q.mu.Lock()
	q.data[q.count%len(q.data)] = v
	q.count++
	q.mu.Unlock()
}

type shard struct {
	entries Queue
}

func main() {
	s := &shard{entries: *New(4)}
	q := New(4)
	done := make(chan bool)
	go func() {
		s.entries.Push(1)
		q.Push(1)
		done <- true
	}()
	s.entries.Push(2)
	q.Push(2)
	<-done
	fmt.Println("pushed")
}
