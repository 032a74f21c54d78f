// Command mergesort2 sorts with a limited number of goroutines. Who starts one
// takes it from the counter in one critical section.
package main

import (
	"fmt"
	"slices"
	"sync"
)

// Threads counts the goroutines that may still be started.
type Threads struct {
	mu     sync.Mutex
	left   int
	lowest int // value that left ever had
}

// NewThreads returns a counter for n goroutines.
func NewThreads(n int) *Threads {
	return &Threads{left: n, lowest: n}
}

// Acquire counts a goroutine, if it may be started.
func (t *Threads) Acquire() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left == 0 {
		return false
	}
	t.left--
	t.lowest = min(t.lowest, t.left)
	return true
}

// Release counts a goroutine off.
func (t *Threads) Release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.left++
}

// Lowest returns the lowest number that there ever was.
func (t *Threads) Lowest() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lowest
}

func sort(t *Threads, a []int) {
	if len(a) < 2 {
		return
	}
	left, right := a[:len(a)/2], a[len(a)/2:]
	var wg sync.WaitGroup
	if t.Acquire() {
		wg.Go(func() {
			defer t.Release()
			sort(t, left)
		})
	} else {
		sort(t, left)
	}
	sort(t, right)
	wg.Wait()
	merge(a, left, right)
}

// merge fills a with the numbers of its halves, in order.
func merge(a, left, right []int) {
	left, right = slices.Clone(left), slices.Clone(right)
	for i := range a {
		if len(right) == 0 || len(left) > 0 && left[0] <= right[0] {
			a[i], left = left[0], left[1:]
		} else {
			a[i], right = right[0], right[1:]
		}
	}
}

func main() {
	numbers := make([]int, 200)
	for i := range numbers {
		numbers[i] = 7919 * i % 200
	}
	threads := NewThreads(4)
	sort(threads, numbers)
	fmt.Println("sorted:", slices.IsSorted(numbers), "lowest count:", threads.Lowest())
}
