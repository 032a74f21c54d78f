// Package late has a test that leaves a goroutine behind, which reports an error when the test has ended.
package late

import "testing"

func TestServe(t *testing.T) {
	requests := make(chan int)
	go func() {
		for n := range requests {
			if n < 0 {
				continue
			}
			t.Errorf("no answer for %d", n) // want order
		}
	}()
	requests <- 1
	close(requests)
}
