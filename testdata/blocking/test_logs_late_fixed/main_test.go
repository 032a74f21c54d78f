// Package late has a test that waits for the goroutine that it has started.
package late

import "testing"

func TestServe(t *testing.T) {
	requests, done := make(chan int), make(chan struct{})
	go func() {
		defer close(done)
		for n := range requests {
			if n < 0 {
				continue
			}
			t.Errorf("no answer for %d", n)
		}
	}()
	requests <- 1
	close(requests)
	<-done
}
