// Command semaphore_one_fixed uses a weighted semaphore as a lock that can be given up waiting
// for.
package main

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Door is a state and who changed it last.
type Door struct {
	state string
	by    string
}

// Change changes the state.
func (d *Door) Change(state, by string) {
	d.state = state
	d.by = by
}

var sem = semaphore.NewWeighted(1)

func open(ctx context.Context, d *Door) {
	if err := sem.Acquire(ctx, 1); err != nil {
		fmt.Println(err)
		return
	}
	defer sem.Release(1)
	d.Change("open", "guest")
}

func main() {
	d := &Door{}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { open(ctx, d) })
	wg.Go(func() {
		if !sem.TryAcquire(1) {
			return
		}
		defer sem.Release(1)
		d.Change("closed", "guard")
	})
	cancel()
	wg.Wait()
}
