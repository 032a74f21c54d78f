// Command alike_senders waits for what many goroutines that begin alike send, and goes on.
package main

import "sync"

// Range is a low and a high mark.
type Range struct {
	mu        sync.Mutex
	low, high int
}

// Set changes both marks.
func (r *Range) Set(low, high int) {
	r.mu.Lock()
	r.low = low
	r.mu.Unlock()
	r.mu.Lock()
	r.high = high
	r.mu.Unlock()
}

func work(results chan<- int) { results <- 1 }

func main() {
	r, results := &Range{}, make(chan int)
	go work(results)
	go work(results)
	go work(results)
	go work(results)
	go work(results)
	println(<-results, <-results, <-results, <-results, <-results)
	go r.Set(1, 2)
	r.Set(3, 4)
}
