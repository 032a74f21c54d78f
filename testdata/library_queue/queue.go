// Package queue has a queue that looks whether there is anything in it before it takes the lock.
package queue

import "sync"

// Queue keeps texts in the order in which they came.
type Queue struct {
	mu    sync.Mutex
	items []string
	depth int
}

// New returns an empty queue.
func New() *Queue {
	return &Queue{}
}

// Put adds a text at the end.
func (q *Queue) Put(text string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, text)
	q.depth++
}

// Depth returns the number of texts.
func (q *Queue) Depth() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.depth
}

// Take returns the first text and takes it out.
func (q *Queue) Take() string {
	if q.Depth() == 0 {
		return ""
	}
	q.mu.Lock() // another one may have taken the last text since
	defer q.mu.Unlock()
	first := q.items[0]
	q.items = q.items[1:]
	q.depth--
	return first
}
