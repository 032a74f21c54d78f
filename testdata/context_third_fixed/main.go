// Command context_third_fixed has workers of which one lets the others go by cancelling a
// context. They change the result one after the other.
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

var mu sync.Mutex // of the result

func work(ctx context.Context, cancel context.CancelFunc, r *Result, worker int) {
	if worker == 2 {
		cancel()
		return
	}
	<-ctx.Done()
	mu.Lock()
	defer mu.Unlock()
	r.Set(10*worker, worker)
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
