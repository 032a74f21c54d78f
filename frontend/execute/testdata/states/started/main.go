// Command started is a trial of a worker whose goroutine, timer or lock is there after some calls: no run has a
// copy of those.
package main

import (
	"sync"
	"time"
)

type worker struct {
	mu   sync.Mutex
	jobs chan int
	done int
}

func newWorker() *worker { return &worker{jobs: make(chan int, 2)} }

func (w *worker) serve() {
	for j := range w.jobs {
		w.mu.Lock()
		w.done += j
		w.mu.Unlock()
	}
}

func make1() *worker { return newWorker() }

func make2() *worker {
	w := newWorker()
	go w.serve()
	return w
}

func step1(o *worker) any {
	go o.serve()
	return nil
}

func step2(o *worker) any {
	o.jobs <- 1
	return o.done
}

func step3(o *worker) any {
	time.AfterFunc(time.Second, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.done++
	})
	return nil
}

func step4(o *worker) any {
	o.mu.Lock() // and keeps it
	return o.done
}

func step5(o *worker) any {
	close(o.jobs)
	return nil
}

func main() {}
