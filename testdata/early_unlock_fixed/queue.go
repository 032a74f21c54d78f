package main

import "sync"

// Queue is a bounded queue of messages.
type Queue struct {
	mu       sync.Mutex
	capacity int
	items    []string
	dropped  int // messages that did not fit
}

// Put appends a message and reports whether there was room for it. All exits
// let go of the lock by the deferred call.
func (q *Queue) Put(message string) bool {
	if message == "" {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == q.capacity {
		q.dropped++
		return false
	}
	q.items = append(q.items, message)
	return true
}

// Stats returns the number of messages and how many did not fit.
func (q *Queue) Stats() (length, dropped int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.items), q.dropped
}
