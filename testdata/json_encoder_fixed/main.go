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
	Requests int
	Errors   int
}

// Set changes the numbers.
func (s *Stats) Set(requests, errors int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Requests = requests
	s.Errors = errors
}

func main() {
	stats := &Stats{}
	go stats.Set(100, 3)
	stats.mu.Lock()
	defer stats.mu.Unlock()
	json.NewEncoder(os.Stdout).Encode(stats)
}
