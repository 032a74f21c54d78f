// Command worker_channels has workers with channels of their own. Stop closes the worker's
// input, and does not wait for its end.
package main

import "fmt"

// Worker adds up numbers that it is sent.
type Worker struct {
	in    chan int
	done  chan bool
	sum   int
	count int
}

// NewWorker starts a worker.
func NewWorker() *Worker {
	w := &Worker{in: make(chan int), done: make(chan bool)}
	go w.run()
	return w
}

func (w *Worker) run() {
	for n := range w.in {
		w.sum += n
		w.count++
	}
	close(w.done)
}

// Stop ends the input and returns the sum and the count.
func (w *Worker) Stop() (int, int) {
	close(w.in)
	sum := w.sum // should wait for done
	count := w.count
	return sum, count
}

func main() {
	var all []*Worker
	for range 3 {
		all = append(all, NewWorker())
	}
	for i := range 10 {
		all[i%3].in <- i
	}
	for _, w := range all {
		fmt.Println(w.Stop())
	}
}
