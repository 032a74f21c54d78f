// Command bubblesort sorts numbers with several goroutines, each of which makes
// one pass over them while it holds the lock.
package main

import (
	"fmt"
	"slices"
	"sync"
)

// Numbers is what is sorted.
type Numbers struct {
	mu     sync.Mutex
	values []int
}

// Pass takes the largest number to the end.
func (n *Numbers) Pass() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range len(n.values) - 1 {
		if n.values[i] > n.values[i+1] {
			n.values[i], n.values[i+1] = n.values[i+1], n.values[i]
		}
	}
}

// Copy returns the numbers.
func (n *Numbers) Copy() []int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.values)
}

func main() {
	numbers := &Numbers{values: []int{9, 3, 7, 1, 8, 2, 6, 4, 5, 0}}
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(numbers.Pass)
	}
	wg.Wait()
	fmt.Println(numbers.Copy())
}
