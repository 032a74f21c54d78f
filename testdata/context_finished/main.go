// Command context_finished computes a result and says that it is complete by cancelling a
// context. Wait looks at it before that.
package main

import (
	"context"
	"fmt"
)

// Result is a sum and how many numbers it is of.
type Result struct {
	sum   int
	count int
}

func compute(r *Result, finish context.CancelFunc) {
	defer finish()
	r.sum = 10
	r.count = 3
}

// wait returns the result.
func wait(finished context.Context, r *Result) (int, int) {
	sum := r.sum // too early
	count := r.count
	<-finished.Done()
	return sum, count
}

func main() {
	r := &Result{}
	all, stop := context.WithCancel(context.Background())
	defer stop()
	finished, finish := context.WithCancel(all)
	go compute(r, finish)
	fmt.Println(wait(finished, r))
}
