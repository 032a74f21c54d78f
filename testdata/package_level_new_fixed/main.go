// Command package_level_new_fixed sets a size while another goroutine reads it.
// The object is made in the declaration of a package variable.
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

var window = &Size{}

func main() {
	go window.Set(640, 480)
	println(window.Get())
}
