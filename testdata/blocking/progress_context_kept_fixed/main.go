// Command progress_context_kept_fixed: the context that the watcher asks is the one that is cancelled.
package main

import (
	"context"
	"sync"
	"time"
)

type watcher struct {
	ctx  context.Context
	stop context.CancelFunc
}

func newWatcher(parent context.Context) *watcher {
	ctx, stop := context.WithCancel(parent)
	return &watcher{ctx, stop}
}

func (w *watcher) run() {
	for w.ctx.Err() == nil {
		time.Sleep(time.Microsecond)
	}
}

func main() {
	w := newWatcher(context.Background())
	var all sync.WaitGroup
	all.Add(1)
	go func() {
		defer all.Done()
		w.run()
	}()
	w.stop()
	all.Wait()
}
