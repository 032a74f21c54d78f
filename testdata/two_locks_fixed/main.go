// Command two_locks_fixed moves a window over a document from one goroutine
// while another sets it anew. Set and Shift hold the same lock.
package main

import (
	"fmt"
	"sync"
)

// Window is the part of a document that is shown: lines low to high.
type Window struct {
	mu   sync.Mutex
	low  int
	high int
}

// Set makes the window start at low and have the given number of lines.
func (w *Window) Set(low, lines int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.low = low
	w.high = low + lines - 1
}

// Shift moves the window by some lines.
func (w *Window) Shift(lines int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.low += lines
	w.high += lines
}

// Height returns the number of lines.
func (w *Window) Height() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.high - w.low + 1
}

func main() {
	window := new(Window)

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		window.Set(100, 25)
	}()
	go func() {
		defer wg.Done()
		window.Shift(3)
	}()
	wg.Wait()

	fmt.Println(window.Height(), "lines")
}
