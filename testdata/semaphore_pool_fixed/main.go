// Command semaphore_pool_fixed runs tasks, two at a time, and collects their results. It takes the
// whole semaphore when it has started all, which waits for them.
package main

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Totals is the sum and the number of results.
type Totals struct {
	sum   int
	count int
}

const tasks = 2 // at a time

// collect adds up the squares of the numbers.
func collect(t *Totals, numbers []int) (int, int) {
	ctx := context.Background()
	sem := semaphore.NewWeighted(tasks)
	var mu sync.Mutex
	for _, n := range numbers {
		if sem.Acquire(ctx, 1) != nil {
			break
		}
		go func() {
			defer sem.Release(1)
			mu.Lock()
			defer mu.Unlock()
			t.sum += n * n
			t.count++
		}()
	}
	if sem.Acquire(ctx, tasks) != nil {
		return 0, 0
	}
	sum := t.sum
	count := t.count
	return sum, count
}

func main() {
	t := &Totals{}
	fmt.Println(collect(t, []int{1, 2, 3}))
}
