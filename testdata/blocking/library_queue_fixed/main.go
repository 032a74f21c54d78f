// Package library_queue_fixed: the mended library_queue.
package library_queue_fixed

import (
	"sync"
)

// Queue hands out tokens.
type Queue struct {
	mu    sync.Mutex
	some  *sync.Cond
	items int
}

// NewQueue makes one.
func NewQueue() *Queue {
	q := &Queue{}
	q.some = sync.NewCond(&q.mu)
	return q
}

// Put adds a token.
func (q *Queue) Put() {
	q.mu.Lock()
	q.items++
	q.mu.Unlock()
	q.some.Signal()
}

// Get takes a token.
func (q *Queue) Get() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.items == 0 {
		q.some.Wait()
	}
	q.items--
}
