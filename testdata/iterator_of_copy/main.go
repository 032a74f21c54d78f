// Command iterator_of_copy ranges over an iterator of the type's own.
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

// all yields a copy of the numbers.
func (l *List) all() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		l.mu.Lock()
		numbers := append([]int(nil), l.numbers...)
		l.mu.Unlock()
		for i, n := range numbers {
			if !yield(i, n) {
				return
			}
		}
	}
}

// Check tells by how much the sum is wrong.
func (l *List) Check() int {
	total := 0
	for _, n := range l.all() {
		if n == 0 {
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
