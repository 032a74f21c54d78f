// Command json_encoder_fixed writes the numbers of a server as JSON while
// another goroutine changes them. Both hold the lock.
package main

import (
	"encoding/json"
	"os"
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

func main() {
	stats := &Stats{}
	go stats.Set(3, 100)
	stats.mu.Lock()
	defer stats.mu.Unlock()
	json.NewEncoder(os.Stdout).Encode(stats)
}
