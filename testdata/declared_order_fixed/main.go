// Command declared_order_fixed writes the numbers of a server as JSON while
// another goroutine changes them, the last one first.
package main

import (
	"encoding/json"
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
	s.Errors = errors
	s.Requests = requests
}

func main() {
	stats := &Stats{}
	go stats.Set(100, 3)
	stats.mu.Lock()
	defer stats.mu.Unlock()
	text, _ := json.Marshal(stats)
	println(string(text))
}
