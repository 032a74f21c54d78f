// Command json_nested_fixed answers a request for the numbers of a server while
// another goroutine changes them. Both hold the lock.
package main

import (
	"encoding/json"
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

// answer is the answer to a request.
type answer struct {
	OK    bool
	Stats *Stats
}

func main() {
	stats := &Stats{}
	go stats.Set(3, 100)
	stats.mu.Lock()
	defer stats.mu.Unlock()
	text, _ := json.Marshal(&answer{OK: true, Stats: stats})
	println(string(text))
}
