// Command sentinel passes numbers on through a queue that has room for two. What adds one
// says with an error that there is no room.
package main

import (
	"errors"
	"fmt"
	"sync"
)

var errFull = errors.New("full")

// Queue is numbers that wait, how many have been added, and how many were refused.
type Queue struct {
	mu      sync.Mutex
	items   []int
	added   int
	refused int
}

// Put adds a number, and reports whether there was room.
func (q *Queue) Put(n int) bool {
	q.mu.Lock()
	err := q.add(n)
	q.mu.Unlock()

	if err == errFull {
		q.mu.Lock()
		q.refused++
		q.mu.Unlock()
	}
	return err == nil
}

// add adds a number, if there is room. The lock is held.
func (q *Queue) add(n int) error {
	if len(q.items) == 2 {
		return errFull
	}
	q.items = append(q.items, n)
	q.added++
	return nil
}

// Take takes all numbers.
func (q *Queue) Take() []int {
	q.mu.Lock()
	defer q.mu.Unlock()
	items := q.items
	q.items = nil
	return items
}

// Stats says how many numbers wait, were added, and were refused.
func (q *Queue) Stats() (waiting, added, refused int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.items), q.added, q.refused
}

func main() {
	q := &Queue{}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for !q.Put(i) {
				q.Stats()
			}
		}()
	}
	taken := 0
	for taken < 3 {
		taken += len(q.Take())
	}
	wg.Wait()
	fmt.Println(taken) // 3
}
