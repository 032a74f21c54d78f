// Program branch_before_start: Without arguments the worker may be asked before it is ready, and sends nothing.
package main

import (
	"fmt"
	"os"
	"sync"
)

type worker struct {
	mu    sync.Mutex
	ready bool
}

func (w *worker) prepare() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ready = true
}

func (w *worker) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Println("ready:", w.ready)
}

func (w *worker) run(out chan<- int) {
	w.mu.Lock()
	ready := w.ready
	w.mu.Unlock()
	if ready {
		out <- 1
	}
}

func main() {
	w := &worker{}
	if len(os.Args) > 1 {
		w.ready = true
	} else {
		w.look()
	}
	out := make(chan int)
	go w.run(out)
	w.prepare()
	fmt.Println(<-out) // want blocked
}
