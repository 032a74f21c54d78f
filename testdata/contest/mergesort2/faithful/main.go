// Command mergesort2 sorts with a limited number of goroutines. A goroutine counts
// itself when it begins, long after somebody has looked at the counter, and the
// counter has no lock: it goes below zero, and updates get lost.
package main

import (
	"fmt"
	"slices"
	"sync"
)

// Threads counts the goroutines that may still be started.
type Threads struct {
	left   int
	lowest int // value that left ever had
}

// NewThreads returns a counter for n goroutines.
func NewThreads(n int) *Threads {
	return &Threads{left: n, lowest: n}
}

// Available tells whether a goroutine may be started.
func (t *Threads) Available() bool {
	return t.left > 0
}

// Change changes the number of goroutines that may be started.
func (t *Threads) Change(n int) {
	t.left += n
	if t.left < t.lowest {
		t.lowest = t.left
	}
}

// Lowest returns the lowest number that there ever was.
func (t *Threads) Lowest() int {
	return t.lowest
}

func sort(t *Threads, a []int) {
	if len(a) < 2 {
		return
	}
	left, right := a[:len(a)/2], a[len(a)/2:]
	var wg sync.WaitGroup
	if t.Available() {
		wg.Add(1)
		go func() {
			defer wg.Done()
			t.Change(-1)
			sort(t, left)
			t.Change(1)
		}()
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
