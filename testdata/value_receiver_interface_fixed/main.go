// Command value_receiver_interface_fixed sets a size while another goroutine reads it
// through an interface.
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

// Area returns the area of the size.
func (s *Size) Area() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.width * s.height
}

type shape interface{ Area() int }

func measure(s shape) int { return s.Area() }

var size Size

func main() {
	go size.Set(3, 4)
	println(measure(&size))
}
