// Command context_polled_fixed computes a result and says that it is complete by cancelling
// a context. Poll does other work until then.
package main

import (
	"context"
	"fmt"
	"time"
)

// Result is a sum and how many numbers it is of.
type Result struct {
	sum   int
	count int
}

func compute(r *Result, finish context.CancelFunc) {
	r.sum = 10
	r.count = 3
	finish()
}

// poll returns the result.
func poll(finished context.Context, r *Result) (int, int) {
	for finished.Err() == nil {
		select {
		case <-finished.Done():
			sum := r.sum
			count := r.count
			return sum, count
		default:
			time.Sleep(time.Millisecond)
		}
	}
	sum := r.sum
	count := r.count
	return sum, count
}

func main() {
	r := &Result{}
	finished, finish := context.WithCancel(context.Background())
	go compute(r, finish)
	fmt.Println(poll(finished, r))
}
