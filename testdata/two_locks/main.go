// Command two_locks moves a window over a document from one goroutine while
// another sets it anew. Set and Shift hold different locks, so neither excludes
// the other.
package main

import (
	"fmt"
	"sync"
)

// Window is the part of a document that is shown: lines low to high.
type Window struct {
	setMu   sync.Mutex
	shiftMu sync.Mutex
	low     int
	high    int
}

// Set makes the window start at low and have the given number of lines.
func (w *Window) Set(low, lines int) {
	w.setMu.Lock()
	defer w.setMu.Unlock()
	w.low = low
	w.high = low + lines - 1
}

// Shift moves the window by some lines.
func (w *Window) Shift(lines int) {
	w.shiftMu.Lock() // not the lock that Set holds
	defer w.shiftMu.Unlock()
	w.low += lines
	w.high += lines
}

// Height returns the number of lines.
func (w *Window) Height() int {
	w.setMu.Lock()
	defer w.setMu.Unlock()
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
