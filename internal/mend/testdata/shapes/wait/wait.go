// Package wait waits for a condition, and does not look again.
package wait

import "sync"

// Queue holds numbers.
type Queue struct {
	mu    sync.Mutex
	some  *sync.Cond
	items []int
	taken int
}

// New makes a queue.
func New() *Queue {
	q := &Queue{}
	q.some = sync.NewCond(&q.mu)
	return q
}

// Put adds a number.
func (q *Queue) Put(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, n)
	q.some.Broadcast()
}

// Take takes a number.
func (q *Queue) Take() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		q.some.Wait()
	}
	n := q.items[0]
	q.items = q.items[1:]
	q.taken++
	return n
}
