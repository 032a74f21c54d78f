// Command iterator_of_copy_fixed ranges over an iterator of the type's own.
package main

import (
	"iter"
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

// all yields a copy of the numbers; the lock is held.
func (l *List) all() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		numbers := append([]int(nil), l.numbers...)
		for i, n := range numbers {
			if !yield(i, n) {
				return
			}
		}
	}
}

// Check tells by how much the sum is wrong.
func (l *List) Check() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	total := 0
	for _, n := range l.all() {
		if n == 0 {
			break
		}
		total += n
	}
	return l.sum - total
}

func main() {
	l := &List{}
	var wg sync.WaitGroup
	wg.Go(func() { l.Add(1) })
	wg.Go(func() { println(l.Check()) })
	wg.Wait()
}
