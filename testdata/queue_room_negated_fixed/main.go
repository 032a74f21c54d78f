// Command queue_room_negated_fixed has a queue with a limit. Whether there is room
// is asked twice, by a helper.
package main

import "sync"

// Queue has jobs that wait.
type Queue struct {
	mu    sync.RWMutex
	limit int
	jobs  []string
}

// full reports whether there is no room. The caller holds the lock.
func (q *Queue) full() bool {
	return len(q.jobs) >= q.limit
}

// Busy reports whether there is no room.
func (q *Queue) Busy() bool {
	q.mu.RLock()
	defer q.mu.RUnlock()
	return q.full()
}

// push adds a job.
func (q *Queue) push(job string) {
	q.jobs = append(q.jobs, job)
}

// Submit adds a job if there is room, now and later.
func (q *Queue) Submit(job string) bool {
	if q.Busy() {
		return false
	}
	name := "job " + job

	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.full() {
		q.push(name)
		return true
	}
	return false
}

func main() {
	queue := &Queue{limit: 1}
	var wg sync.WaitGroup
	submitted := make([]bool, 2)
	for i := range submitted {
		wg.Go(func() { submitted[i] = queue.Submit("print") })
	}
	wg.Wait()
	if !queue.Busy() {
		panic("nothing submitted")
	}
}
