// Package late has a test that leaves what is checked to itself, and waits for the goroutine.
package late

import (
	"sync"
	"testing"
)

func check(t testing.TB, n int) {
	if n < 0 {
		t.Error("below zero")
	}
}

func TestParts(t *testing.T) {
	numbers := make(chan int)
	var all sync.WaitGroup
	all.Go(func() {
		for n := range numbers {
			check(t, n)
		}
	})
	t.Run("first", func(t *testing.T) {
		numbers <- 1
	})
	numbers <- -1
	close(numbers)
	all.Wait()
}
