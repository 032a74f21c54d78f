// Command progress_ticker: with each tick it is looked whether the flag is there or the context is over. The one who would
// set the flag has failed, and nobody cancels.
package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

func load(ready *atomic.Bool, name string) {
	if name != "" {
		ready.Store(true)
	}
}

func wait(ctx context.Context, ready *atomic.Bool) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select { // want no-progress
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if ready.Load() {
			return
		}
	}
}

func main() {
	ready := new(atomic.Bool)
	ctx, cancel := context.WithCancel(context.Background())
	go load(ready, "")
	wait(ctx, ready)
	cancel()
	fmt.Println(ready.Load())
}
