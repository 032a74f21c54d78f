// Command mergesort sorts with a limited number of goroutines: a sorter reserves
// them in one critical section before it starts them.
package main

import (
	"fmt"
	"slices"
	"sync"
)

// Limiter counts the goroutines at work.
type Limiter struct {
	limit int

	mu    sync.Mutex
	alive int
}

// Reserve counts as many goroutines as may be started for the two halves, and
// returns how many that are: 0, 1 or 2.
func (l *Limiter) Reserve() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := min(l.limit-l.alive, 2)
	l.alive += n
	return n
}

// Finished counts a goroutine off.
func (l *Limiter) Finished() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.alive--
}

// startHalves starts goroutines for as many of the halves as there may be, and
// returns how many that are.
//
//empire:unit
func startHalves(l *Limiter, wg *sync.WaitGroup, halves [2][]int) int {
	n := l.Reserve()
	for _, half := range halves[:n] {
		wg.Go(func() {
			defer l.Finished()
			sort(l, half)
		})
	}
	return n
}

func sort(l *Limiter, a []int) {
	if len(a) < 2 {
		return
	}
	halves := [2][]int{a[:len(a)/2], a[len(a)/2:]}
	var wg sync.WaitGroup
	n := startHalves(l, &wg, halves)
	for _, half := range halves[n:] {
		sort(l, half)
	}
	wg.Wait()
	merge(a, halves[0], halves[1])
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
	limiter := &Limiter{limit: 4}
	sort(limiter, numbers)
	fmt.Println("sorted:", slices.IsSorted(numbers))
}
