// Command iterator_holds_lock ranges over an iterator that holds the lock while it yields.
package main

import (
	"sync"
)

// List is numbers and their sum.
type List struct {
	mu      sync.Mutex
	numbers []int
	sum     int
}

func (l *List) Add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.numbers = append(l.numbers, n)
	l.sum += n
}

// all yields the numbers with the lock held.
func (l *List) all(yield func(int) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range l.numbers {
		if !yield(n) {
			return
		}
	}
	yield(-1)
}

// Check tells by how much the sum is wrong.
func (l *List) Check() int {
	total := 0
	for n := range l.all {
		if n < 0 {
			break
		}
		total += n
	}
	l.mu.Lock() // numbers may have been added
	defer l.mu.Unlock()
	return l.sum - total
}

func main() {
	l := &List{}
	var wg sync.WaitGroup
	wg.Go(func() { l.Add(1) })
	wg.Go(func() { println(l.Check()) })
	wg.Wait()
}
