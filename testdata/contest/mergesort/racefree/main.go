// Command mergesort sorts with a limited number of goroutines, which an atomic
// counter counts. But a sorter first looks how many goroutines it may start, and
// counts them when they are started: in between, other sorters see the same
// number, and there are too many goroutines. A race detector has nothing to report.
package main

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Limiter counts the goroutines at work.
type Limiter struct {
	limit int64
	alive atomic.Int64
}

// Available returns how many goroutines may be started for the two halves: 0, 1 or
// 2.
func (l *Limiter) Available() int {
	return int(min(l.limit-l.alive.Load(), 2))
}

// Started counts a goroutine.
func (l *Limiter) Started() { l.alive.Add(1) }

// Finished counts a goroutine off.
func (l *Limiter) Finished() { l.alive.Add(-1) }

// startHalves starts goroutines for as many of the halves as there may be, and
// returns how many that are. To look and to count belong together.
//
//empire:unit
func startHalves(l *Limiter, wg *sync.WaitGroup, halves [2][]int) int {
	n := l.Available()
	if n < 0 {
		fmt.Println("more goroutines than the limit")
		return 0
	}
	for _, half := range halves[:n] {
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer l.Finished()
			sort(l, half)
		}()
		l.Started()
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
