// Command gives_up has a queue that is emptied when it has been full for three tries. By then it
// may have been emptied by somebody else, and have new values.
package main

import (
	"fmt"
	"sync"
)

// Queue is a queue with a limit.
type Queue struct {
	mu    sync.Mutex
	items []int
	count int
}

const limit = 2

func (q *Queue) tryPut(v int) bool {
	q.mu.Lock()
	if q.count == limit {
		q.mu.Unlock()
		return false
	}
	q.items = append(q.items, v)
	q.count++
	q.mu.Unlock()
	return true
}

// Clear empties the queue.
func (q *Queue) Clear() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = nil
	q.count = 0
}

// Put appends a value.
func (q *Queue) Put(v int) {
	for try := 0; try < 3; try++ {
		if q.tryPut(v) {
			return
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = []int{v}
	q.count = 1
}

func main() {
	q := &Queue{}
	var done sync.WaitGroup
	done.Go(func() { q.Put(1) })
	done.Go(q.Clear)
	done.Wait()
	fmt.Println("done")
}
