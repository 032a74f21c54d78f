// Command owned_heap_fixed has a queue of jobs, the shortest first; a planner sorts others with
// the same heap.
package main

import (
	"container/heap"
	"fmt"
	"sync"
)

// lengths is a heap.
type lengths []int

func (l lengths) Len() int           { return len(l) }
func (l lengths) Less(i, j int) bool { return l[i] < l[j] }
func (l lengths) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *lengths) Push(x any)        { *l = append(*l, x.(int)) }
func (l *lengths) Pop() any {
	old := *l
	last := old[len(old)-1]
	*l = old[:len(old)-1]
	return last
}

// Queue is the jobs, and how long all of them take.
type Queue struct {
	mu    sync.Mutex
	jobs  lengths
	total int
}

// Put adds a job.
func (q *Queue) Put(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Push(&q.jobs, n)
	q.total += n
}

// Take takes the shortest job.
func (q *Queue) Take() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.jobs) > 0 {
		n := heap.Pop(&q.jobs).(int)
		q.total -= n
	}
}

// plan sorts numbers, with nothing but what is its own.
func plan(numbers ...int) {
	var sorted lengths
	for _, n := range numbers {
		heap.Push(&sorted, n)
	}
	for sorted.Len() > 0 {
		fmt.Println(heap.Pop(&sorted))
	}
}

func main() {
	q := &Queue{}
	var done sync.WaitGroup
	done.Go(func() { q.Put(3) })
	done.Go(func() { q.Take() })
	done.Go(func() { plan(2, 1) })
	done.Go(func() { plan(5, 4) })
	done.Wait()
}
