// Command progress_context_kept: a watcher asks its context whether it is over, but nobody cancels that: the one that is
// cancelled is another one, made of the same parent.
package main

import (
	"context"
	"sync"
	"time"
)

type watcher struct {
	ctx       context.Context
	end, stop context.CancelFunc
}

func newWatcher(parent context.Context) *watcher {
	ctx, end := context.WithCancel(parent)
	_, stop := context.WithCancel(parent)
	return &watcher{ctx, end, stop}
}

func (w *watcher) run() {
	for w.ctx.Err() == nil { // want no-progress
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
