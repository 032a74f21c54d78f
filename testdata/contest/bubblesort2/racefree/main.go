// Command bubblesort2 sorts numbers with a chain of goroutines: each pass starts
// the next one, which is shorter by one, when it has made its first step. Every
// access holds the lock, so a race detector is silent. But two neighbours are
// compared in one critical section and swapped in another, and the last pass is
// announced when it begins.
package main

import (
	"fmt"
	"sync"
	"time"
)

// Numbers is what is sorted.
type Numbers struct {
	mu     sync.Mutex
	values []int
	done   bool
}

// Start starts the pass over the numbers up to end.
func (n *Numbers) Start(end int) {
	if end == 0 {
		n.setDone() // the passes before it may still be at work
		return
	}
	go n.pass(end)
}

func (n *Numbers) pass(end int) {
	for i := range end {
		if n.inverted(i) {
			n.swap(i)
		}
		if i == 0 {
			n.Start(end - 1)
		}
	}
}

func (n *Numbers) inverted(i int) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.values[i] > n.values[i+1]
}

func (n *Numbers) swap(i int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.values[i], n.values[i+1] = n.values[i+1], n.values[i]
}

func (n *Numbers) setDone() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.done = true
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
	numbers := &Numbers{values: []int{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}}
	numbers.Start(9)
	for range 100 {
		if numbers.Done() {
			break
		}
		time.Sleep(time.Millisecond)
	}
	fmt.Println(numbers.Inversions(), "inversions")
}
