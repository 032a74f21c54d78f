// Command marshaler_and_println_fixed prints the numbers of a server while
// another goroutine changes them. Both hold the lock.
package main

import (
	"fmt"
	"sync"
)

// Stats are the numbers of a server.
type Stats struct {
	mu       sync.Mutex
	Errors   int
	Requests int
}

// Set changes the numbers.
func (s *Stats) Set(errors, requests int) {
	s.mu.Lock()
	defer s.mu.Unlock()
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
	stats.mu.Lock()
	defer stats.mu.Unlock()
	fmt.Println(stats)
}
