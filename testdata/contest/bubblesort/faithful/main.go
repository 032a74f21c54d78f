// Command bubblesort sorts numbers with several goroutines, each of which makes
// one pass over them. Two neighbours are compared without the lock and swapped
// with it: another pass can swap them in between. And the result is printed
// without waiting for the passes.
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
	for i := 0; i+1 < len(n.values); i++ {
		if n.values[i] > n.values[i+1] {
			n.swap(i)
		}
	}
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
	for range 10 {
		go numbers.Pass()
	}
	fmt.Println(numbers.Copy())
}
