// Command value_receiver_interface sets a size while another goroutine reads it
// through an interface. The method that does so gets a copy, which is made
// without a lock.
package main

// Size has columns and rows.
type Size struct {
	cols int
	rows int
}

// Set changes the size.
func (s *Size) Set(cols, rows int) {
	s.cols = cols
	s.rows = rows
}

// Area returns the area of a copy of the size.
func (s Size) Area() int { return s.cols * s.rows }

type shape interface{ Area() int }

func measure(s shape) int { return s.Area() } // copies the size

var size Size

func main() {
	go size.Set(3, 4)
	println(measure(&size))
}
