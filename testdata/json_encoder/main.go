// Command json_encoder writes the numbers of a server as JSON while another
// goroutine changes them. The encoder reads the fields without a lock.
package main

import (
	"encoding/json"
	"os"
)

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

func main() {
	stats := &Stats{}
	go stats.Set(3, 100)
	json.NewEncoder(os.Stdout).Encode(stats)
}
