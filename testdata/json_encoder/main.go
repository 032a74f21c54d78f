// Command json_encoder writes the numbers of a server as JSON while another
// goroutine changes them. The encoder reads the fields without a lock.
package main

import (
	"encoding/json"
	"os"
)

// Stats are the numbers of a server.
type Stats struct {
	Requests int
	Errors   int
}

// Set changes the numbers.
func (s *Stats) Set(requests, errors int) {
	s.Requests = requests
	s.Errors = errors
}

func main() {
	stats := &Stats{}
	go stats.Set(100, 3)
	json.NewEncoder(os.Stdout).Encode(stats)
}
