// Command bubblesort sorts numbers with several goroutines, each of which makes
// one pass over them. Comparing two neighbours and swapping them hold the lock,
// so a race detector is silent. But they are two critical sections: another pass
// can swap the neighbours in between.
package main

import (
	"fmt"
	"sync"
)

// Numbers is what is sorted.
type Numbers struct {
	mu     sync.Mutex
	values []int
}

// Pass takes the largest number to the end.
func (n *Numbers) Pass() {
	for i := range n.Len() - 1 {
		if n.inverted(i) {
			n.swap(i)
		}
	}
}

// Len returns how many numbers there are.
func (n *Numbers) Len() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.values)
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

// Copy returns the numbers.
func (n *Numbers) Copy() []int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]int(nil), n.values...)
}

func main() {
	numbers := &Numbers{values: []int{9, 3, 7, 1, 8, 2, 6, 4, 5, 0}}
	var wg sync.WaitGroup
	for range 10 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			numbers.Pass()
		}()
	}
	wg.Wait()
	fmt.Println(numbers.Copy())
}
