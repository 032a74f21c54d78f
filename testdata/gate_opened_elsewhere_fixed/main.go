// Command gate_opened_elsewhere_fixed sets a size and reads it from goroutines
// that wait for each other at a gate. What opens the gate uses no field.
package main

import "sync"

// Size has a width and a height.
type Size struct {
	mu     sync.Mutex
	width  int
	height int
}

// Set changes the size.
func (s *Size) Set(width, height int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.width = width
	s.height = height
}

// Get returns the size.
func (s *Size) Get() (width, height int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	width = s.width
	height = s.height
	return width, height
}

var gate sync.WaitGroup

// open lets everybody through the gate.
func open() { gate.Done() }

func main() {
	gate.Add(1)
	size := &Size{}
	var wg sync.WaitGroup
	wg.Go(func() {
		gate.Wait()
		size.Set(3, 4)
	})
	wg.Go(func() {
		gate.Wait()
		println(size.Get())
	})
	go open()
	wg.Wait()
}
