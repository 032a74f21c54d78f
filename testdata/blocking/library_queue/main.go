// Package library_queue: Get waits until there is something, and Put does not say so.
package library_queue

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
}

// Get takes a token.
func (q *Queue) Get() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.items == 0 {
		q.some.Wait() // want missed-signal
	}
	q.items--
}
