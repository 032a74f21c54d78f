// Command cond_set_in_main_fixed gives a queue its condition variable in main. Take looks
// again after each Wait.
package main

import (
	"fmt"
	"sync"
)

// Queue is numbers, and how many were ever put in.
type Queue struct {
	mu    sync.Mutex
	cond  *sync.Cond
	items []int
	puts  int
}

// Put adds a number.
func (q *Queue) Put(item int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, item)
	q.puts++
	q.cond.Signal()
}

// Take takes the first one.
func (q *Queue) Take() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.cond.Wait()
	}
	item := q.items[0]
	q.items = q.items[1:]
	return item
}

func main() {
	q := &Queue{}
	q.cond = sync.NewCond(&q.mu)
	done := make(chan int)
	go func() { done <- q.Take() }()
	q.Put(1)
	fmt.Println(<-done)
}
