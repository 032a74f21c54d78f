// Command context_third has workers of which one lets the others go by cancelling a context.
// It takes three to get two of them into the result at the same time.
package main

import (
	"context"
	"fmt"
	"sync"
)

// Result is a value and who found it. It is not safe for concurrent use.
type Result struct {
	value  int
	worker int
}

// Set changes the result.
func (r *Result) Set(value, worker int) {
	r.value = value
	r.worker = worker
}

func work(ctx context.Context, cancel context.CancelFunc, r *Result, worker int) {
	if worker == 2 {
		cancel()
		return
	}
	<-ctx.Done()
	r.Set(10*worker, worker) // two at a time
}

func main() {
	r := &Result{}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for worker := range 3 {
		wg.Go(func() { work(ctx, cancel, r, worker) })
	}
	wg.Wait()
	fmt.Println(r.value, r.worker)
}
