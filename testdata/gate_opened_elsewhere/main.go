// Command gate_opened_elsewhere sets a size and reads it from goroutines that
// wait for each other at a gate. What opens the gate uses no field.
package main

import "sync"

// Size has a width and a height. It is not safe for concurrent use.
type Size struct {
	width  int
	height int
}

// Set changes the size.
func (s *Size) Set(width, height int) {
	s.width = width
	s.height = height
}

// Get returns the size.
func (s *Size) Get() (width, height int) {
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
		println(size.Get()) // at the same time as Set
	})
	go open()
	wg.Wait()
}
