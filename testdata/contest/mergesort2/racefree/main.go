// Command mergesort2 sorts with a limited number of goroutines. Every access to
// their counter holds its lock, so a race detector is silent. But a goroutine
// counts itself when it begins, long after somebody has looked at the counter, and
// it reads, sets and notes the counter in three critical sections: the counter
// goes below zero, and updates get lost.
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

// Left returns how many goroutines may be started.
func (t *Threads) Left() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.left
}

// Change changes the number of goroutines that may be started.
func (t *Threads) Change(n int) {
	now := t.Left() + n
	t.set(now)
	t.note(now)
}

func (t *Threads) set(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.left = n
}

func (t *Threads) note(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n < t.lowest {
		t.lowest = n
	}
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
	if t.Left() > 0 {
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
