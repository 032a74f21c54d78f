// Command iterator_nested_fixed nests loops over iterators and leaves both at once.
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

func (l *List) all(yield func(int) bool) {
	for _, n := range l.numbers {
		if !yield(n) {
			return
		}
	}
}

func pairs(yield func(int) bool) { _ = yield(1) && yield(2) }

// Check looks for a number that is the sum.
func (l *List) Check() (found bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
outer:
	for factor := range pairs {
		for n := range l.all {
			switch {
			case n == 0:
				continue outer
			case n > 100:
				break outer
			}
			if n*factor == l.sum {
				return true
			}
		}
	}
	return false
}

func main() {
	l := &List{}
	l.Add(1)
	var wg sync.WaitGroup
	wg.Go(func() { l.Add(2) })
	wg.Go(func() { println(l.Check()) })
	wg.Wait()
}
