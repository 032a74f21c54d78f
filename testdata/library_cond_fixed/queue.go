// Package queue is a library with a condition variable that brings the only lock.
package queue

import "sync"

// Queue holds numbers, and how many have ever been put.
type Queue struct {
	cond    *sync.Cond
	numbers []int
	put     int
}

// New returns an empty queue.
func New() *Queue { return &Queue{cond: sync.NewCond(new(sync.Mutex))} }

// Put adds a number.
func (q *Queue) Put(n int) {
	q.cond.L.Lock()
	q.numbers = append(q.numbers, n)
	q.put++
	q.cond.L.Unlock()
	q.cond.Signal()
}

// Take waits for a number.
func (q *Queue) Take() (n, put int) {
	q.cond.L.Lock()
	defer q.cond.L.Unlock()
	for len(q.numbers) == 0 {
		q.cond.Wait()
	}
	n = q.numbers[0]
	q.numbers = q.numbers[1:]
	return n, q.put
}
