// Command json_nested answers a request for the numbers of a server while
// another goroutine changes them. They are a part of what is marshalled.
package main

import "encoding/json"

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

// answer is the answer to a request.
type answer struct {
	OK    bool
	Stats *Stats
}

func main() {
	stats := &Stats{}
	go stats.Set(3, 100)
	text, _ := json.Marshal(&answer{OK: true, Stats: stats})
	println(string(text))
}
