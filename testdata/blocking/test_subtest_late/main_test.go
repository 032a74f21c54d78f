// Package late has a subtest that leaves a goroutine behind: it fails while the test around it goes on.
package late

import "testing"

func check(t testing.TB, n int) {
	if n < 0 {
		t.Error("below zero") // want order
	}
}

func TestParts(t *testing.T) {
	numbers := make(chan int)
	t.Run("first", func(t *testing.T) {
		go func() {
			for n := range numbers {
				check(t, n)
			}
		}()
		numbers <- 1
	})
	numbers <- -1
	close(numbers)
}
