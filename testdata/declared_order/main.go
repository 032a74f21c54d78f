// Command declared_order writes the numbers of a server as JSON while another
// goroutine changes them, the last one first.
package main

import "encoding/json"

// Stats are the numbers of a server. They are not safe for concurrent use.
type Stats struct {
	Requests int
	Errors   int
}

// Set changes the numbers.
func (s *Stats) Set(requests, errors int) {
	s.Errors = errors
	s.Requests = requests
}

func main() {
	stats := &Stats{}
	go stats.Set(100, 3)
	text, _ := json.Marshal(stats) // reads Requests first
	println(string(text))
}
