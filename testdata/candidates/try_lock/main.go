// Command try_lock does its work only if nobody else does.
package main

import "sync"

// Worker works.
type Worker struct {
	mu   sync.Mutex
	runs int
	last string
}

func (w *Worker) work(what string) {
	if !w.mu.TryLock() {
		println("busy", w.last)
		return
	}
	defer w.mu.Unlock()
	w.runs++
	w.last = what
}

func main() {
	w := &Worker{}
	var wg sync.WaitGroup
	for _, what := range []string{"a", "b"} {
		wg.Go(func() { w.work(what) })
	}
	wg.Wait()
}
