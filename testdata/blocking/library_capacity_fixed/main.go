// Package library_capacity_fixed: the mended library_capacity.
package library_capacity_fixed

import "sync"

// Queue does jobs one after the other.
type Queue struct {
	mu      sync.Mutex
	refused int
	jobs    chan int
	pending sync.WaitGroup
}

// NewQueue makes one in which some jobs can wait.
func NewQueue(size int) *Queue {
	q := &Queue{jobs: make(chan int, size)}
	go q.run()
	return q
}

func (q *Queue) run() {
	for job := range q.jobs {
		if job < 0 {
			q.mu.Lock()
			q.refused++
			q.mu.Unlock()
		}
		q.pending.Done()
	}
}

// Put adds a job.
func (q *Queue) Put(job int) {
	q.pending.Add(1)
	q.jobs <- job
}

// Refused tells how many jobs were refused.
func (q *Queue) Refused() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.refused
}
