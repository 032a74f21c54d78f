// Command value_receiver_interface_fixed sets a size while another goroutine
// reads it through an interface.
package main

import "sync"

// Size has columns and rows.
type Size struct {
	mu   sync.Mutex
	cols int
	rows int
}

// Set changes the size.
func (s *Size) Set(cols, rows int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cols = cols
	s.rows = rows
}

// Area returns the area of the size.
func (s *Size) Area() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cols * s.rows
}

type shape interface{ Area() int }

func measure(s shape) int { return s.Area() }

var size Size

func main() {
	go size.Set(3, 4)
	println(measure(&size))
}
