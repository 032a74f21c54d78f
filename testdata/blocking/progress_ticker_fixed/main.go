// Command progress_ticker_fixed: the context ends after a second.
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
		select {
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
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	go load(ready, "")
	wait(ctx, ready)
	cancel()
	fmt.Println(ready.Load())
}
