// Command panics_holding_fixed adds numbers up in goroutines that recover from panics. One
// that panics does so with the lock held: then nobody gets it any more, and nobody else
// releases it.
package main

import (
	"fmt"
	"math"
	"sync"
)

// Tally is a sum and of how many numbers it is.
type Tally struct {
	mu    sync.Mutex
	sum   int
	count int
}

// Add adds a number.
func (t *Tally) Add(n int) {
	t.mu.Lock()
	t.sum = plus(t.sum, n)
	t.count++
	t.mu.Unlock()
}

// Mean returns the mean of the numbers.
func (t *Tally) Mean() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sum / max(t.count, 1)
}

func plus(a, b int) int {
	if b > math.MaxInt-a {
		panic("the sum is too large")
	}
	return a + b
}

// try calls f and survives its panics.
func try(f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println("failed:", r)
		}
	}()
	f()
}

func main() {
	t := &Tally{}
	var wg sync.WaitGroup
	for n := range 3 {
		wg.Go(func() {
			try(func() { t.Add(n) })
		})
	}
	fmt.Println("so far:", t.Mean() < 3)
	wg.Wait()
}
