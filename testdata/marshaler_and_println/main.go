// Command marshaler_and_println prints the numbers of a server while another
// goroutine changes them. They have a method for JSON, but not for printing.
package main

import "fmt"

// Stats are the numbers of a server.
type Stats struct {
	Errors   int
	Requests int
}

// Set changes the numbers.
func (s *Stats) Set(errors, requests int) {
	s.Errors = errors
	s.Requests = requests
}

// MarshalJSON keeps the numbers out of answers.
func (s *Stats) MarshalJSON() ([]byte, error) {
	return []byte("null"), nil
}

func main() {
	stats := &Stats{}
	go stats.Set(3, 100)
	fmt.Println(stats)
}
