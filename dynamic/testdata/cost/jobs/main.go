// Command jobs hands jobs to workers by their priority. The heap has one lock and the books another one: what a method
// does to both is not one step. Whether there is anything to do, and how urgent that is, is looked up without a lock.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// job is something to be done.
type job struct {
	number, priority, cost int
	tries                  int
	state                  int
}

const (
	queued = iota
	running
	done
)

// Queue has the jobs.
type Queue struct {
	heapMu sync.Mutex
	heap   []*job
	pushed int
	popped int
	length atomic.Int64
	urgent atomic.Int64 // the priority of the best one

	booksMu sync.Mutex
	states  [3]int
	retries int
	costs   int
	maximum int
	last    *job
}

// up moves a job to its place, with the lock of the heap held.
func (q *Queue) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if q.heap[parent].priority >= q.heap[i].priority {
			break
		}
		q.heap[parent], q.heap[i] = q.heap[i], q.heap[parent]
		i = parent
	}
}

// down moves the first job to its place, with the lock of the heap held.
func (q *Queue) down() {
	i := 0
	for {
		best := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(q.heap); c++ {
			if q.heap[c].priority > q.heap[best].priority {
				best = c
			}
		}
		if best == i {
			return
		}
		q.heap[best], q.heap[i] = q.heap[i], q.heap[best]
		i = best
	}
}

// shows makes known what lock-free looks see, with the lock of the heap held.
func (q *Queue) shows() {
	q.length.Store(int64(len(q.heap)))
	if len(q.heap) > 0 {
		q.urgent.Store(int64(q.heap[0].priority))
	}
}

// Push adds a job.
func (q *Queue) Push(j *job) {
	q.heapMu.Lock()
	q.heap = append(q.heap, j)
	q.pushed++
	q.up(len(q.heap) - 1)
	q.shows()
	q.heapMu.Unlock()

	q.booksMu.Lock()
	j.state = queued
	q.states[queued]++
	q.maximum = max(q.maximum, q.states[queued])
	q.booksMu.Unlock()
}

// Pop takes the most urgent job, if one is more urgent than that.
func (q *Queue) Pop(than int) *job {
	if q.length.Load() == 0 || q.urgent.Load() <= int64(than) {
		return nil
	}
	q.heapMu.Lock()
	if len(q.heap) == 0 {
		q.heapMu.Unlock()
		return nil
	}
	j := q.heap[0]
	last := len(q.heap) - 1
	q.heap[0] = q.heap[last]
	q.heap = q.heap[:last]
	q.popped++
	q.down()
	q.shows()
	q.heapMu.Unlock()

	q.booksMu.Lock()
	j.state = running
	q.states[queued]--
	q.states[running]++
	q.last = j
	q.booksMu.Unlock()
	return j
}

// Done books what a job has cost. It tells whether the job has to be tried again.
func (q *Queue) Done(j *job, cost int) (again bool) {
	q.booksMu.Lock()
	j.tries++
	j.cost += cost
	again = cost%16 == 0 && j.tries < 4
	q.states[running]--
	q.costs += cost
	if again {
		q.retries++
	} else {
		j.state = done
		q.states[done]++
	}
	q.booksMu.Unlock()
	if again {
		j.priority /= 2
		q.Push(j)
	}
	return again
}

// Run carries out the most urgent job, if one is more urgent than that. It tells whether there was one.
func (q *Queue) Run(than int, work func(*job) int) bool {
	j := q.Pop(than)
	if j == nil {
		return false
	}
	q.Done(j, work(j))
	return true
}

// Load returns how much there is to do, and how much was done, as it looks.
func (q *Queue) Load() (waiting, finished int) {
	waiting = int(q.length.Load())
	q.booksMu.Lock()
	defer q.booksMu.Unlock()
	if q.last != nil {
		waiting += q.last.tries
	}
	return waiting, q.states[done]
}

func main() {
	q := &Queue{}
	var wg sync.WaitGroup
	var sum atomic.Int64
	for g := range 4 {
		wg.Go(func() {
			seed := uint32(g + 1)
			work := func(j *job) int {
				runtime.Gosched() // for what others do meanwhile
				return int(seed>>12)%100 + j.number%3
			}
			for i := range 40_000 {
				seed = seed*1664525 + 1013904223
				q.Push(&job{number: i, priority: 1 + int(seed>>8)%1000})
				if i%2 == 0 {
					continue
				}
				for range 2 {
					q.Run(int(seed>>20)%8, work)
				}
				if i%8 == 1 {
					waiting, finished := q.Load()
					sum.Add(int64(waiting + finished))
				}
			}
		})
	}
	wg.Wait()
	for q.Run(0, func(*job) int { return 1 }) {
	}
	fmt.Println(sum.Load() > 0, q.states[done])
}
