// Command channel_join_count waits for its goroutines by receiving one message from
// each. It counts one too few.
package main

import "fmt"

const workers = 3

// Range is the smallest and the largest number seen.
type Range struct {
	low  int
	high int
}

// Set changes the range.
func (r *Range) Set(low, high int) {
	r.low = low
	r.high = high
}

// Bounds returns both.
func (r *Range) Bounds() (low, high int) {
	low = r.low
	high = r.high
	return low, high
}

func main() {
	r := &Range{}
	lock := make(chan struct{}, 1)
	done := make(chan bool)
	for i := range workers {
		go func() {
			lock <- struct{}{}
			r.Set(i, i+workers)
			<-lock
			done <- true
		}()
	}
	for i := 1; i < workers; i++ { // one too few
		<-done
	}
	fmt.Println(r.Bounds())
	<-done
}
