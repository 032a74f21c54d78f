// Command bubblesort2 sorts numbers with a chain of goroutines: each pass starts
// the next one, which is shorter by one. A pass holds the lock throughout, and
// the last one announces the end when it is done.
package main

import (
	"fmt"
	"sync"
)

// Numbers is what is sorted.
type Numbers struct {
	finished chan struct{}

	mu     sync.Mutex
	values []int
	done   bool
}

// Start starts the pass over the numbers up to end.
func (n *Numbers) Start(end int) {
	go n.pass(end)
}

func (n *Numbers) pass(end int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range end {
		if n.values[i] > n.values[i+1] {
			n.values[i], n.values[i+1] = n.values[i+1], n.values[i]
		}
	}
	if end > 1 {
		n.Start(end - 1)
		return
	}
	n.done = true
	close(n.finished)
}

// Done tells whether the numbers are sorted.
func (n *Numbers) Done() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.done
}

// Inversions counts the neighbours in the wrong order.
func (n *Numbers) Inversions() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	count := 0
	for i := range len(n.values) - 1 {
		if n.values[i] > n.values[i+1] {
			count++
		}
	}
	return count
}

func main() {
	numbers := &Numbers{
		finished: make(chan struct{}),
		values:   []int{9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
	}
	numbers.Start(9)
	<-numbers.finished
	fmt.Println(numbers.Done(), numbers.Inversions(), "inversions")
}
