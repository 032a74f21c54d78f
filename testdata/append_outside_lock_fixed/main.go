// Command append_outside_lock_fixed has the latest temperatures and how many were measured.
// A report is made by appending to a copy of the temperatures, made with the lock.
package main

import (
	"fmt"
	"sync"
)

// History keeps the latest temperatures.
type History struct {
	mu     sync.Mutex
	count  int
	recent []int
}

// Put adds a temperature in place of the oldest one.
func (h *History) Put(degrees int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.recent[h.count%3] = degrees
	h.count++
}

// Report returns the temperatures, and how many were measured.
func (h *History) Report() []int {
	h.mu.Lock()
	count := h.count
	recent := append([]int(nil), h.recent...)
	h.mu.Unlock()
	return append(recent, count)
}

func main() {
	h := &History{recent: make([]int, 3)}
	var wg sync.WaitGroup
	wg.Go(func() { h.Put(20) })
	wg.Go(func() { fmt.Println(len(h.Report())) })
	wg.Wait()
}
