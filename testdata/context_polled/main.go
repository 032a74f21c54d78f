// Command context_polled computes a result and says that it is complete by cancelling a
// context, one field too early. Poll does other work until then.
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
	finish()
	r.count = 3 // too late
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
