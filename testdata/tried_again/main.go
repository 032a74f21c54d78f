// Command tried_again has a queue with room for a few values: who finds it full waits and makes
// room by what was found before, who finds it empty waits and tries again.
package main

import (
	"errors"
	"fmt"
	"sync"
)

// Queue is a queue with a limit.
type Queue struct {
	mu      sync.Mutex
	changed *sync.Cond
	items   []int
	count   int
}

var errFull = errors.New("full")

const limit = 2

// NewQueue returns an empty queue.
func NewQueue() *Queue {
	q := &Queue{}
	q.changed = sync.NewCond(&q.mu)
	return q
}

func (q *Queue) tryPut(v int) bool {
	if q.count == limit {
		return false
	}
	q.items = append(q.items, v)
	q.count++
	q.changed.Broadcast()
	return true
}

func (q *Queue) tryTake() (int, bool) {
	if q.count == 0 {
		return 0, false
	}
	v := q.items[0]
	q.items = q.items[1:]
	q.count--
	q.changed.Broadcast()
	return v, true
}

func (q *Queue) replace(v int) error {
	if q.count == limit {
		return errFull
	}
	q.items = []int{v}
	q.count = 1
	return nil
}

// Put appends a value, and waits until there is room.
func (q *Queue) Put(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.tryPut(v) {
		rest := q.items[1:]
		q.changed.Wait()
		q.items = append(rest, v)
	}
}

// Take removes the first value, and waits until there is one.
func (q *Queue) Take() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		if v, ok := q.tryTake(); ok {
			return v
		}
		q.changed.Wait()
	}
}

// Replace replaces all values by one, and waits until there is room.
func (q *Queue) Replace(v int) {
	q.mu.Lock()
	for {
		err := q.replace(v)
		if err == nil {
			break
		}
		q.changed.Wait()
	}
	q.mu.Unlock()
}

func main() {
	q := NewQueue()
	var done sync.WaitGroup
	done.Add(2)
	go func() {
		for {
			q.Take()
		}
	}()
	go func() {
		defer done.Done()
		q.Put(1)
		q.Replace(2)
	}()
	go func() {
		defer done.Done()
		q.Put(3)
		q.Put(4)
	}()
	done.Wait()
	fmt.Println("done")
}
