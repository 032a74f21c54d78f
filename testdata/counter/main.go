// Command counter counts requests and then decides by the count: others have counted, too.
package main

import "sync"

// Stats counts requests, and those that were too many.
type Stats struct {
	mu       sync.Mutex
	requests int
	refused  int
}

// Handle counts a request.
func (s *Stats) Handle() {
	s.mu.Lock()
	s.requests++
	s.mu.Unlock()
	s.mu.Lock()
	if s.requests > 1 {
		s.refused++
	}
	s.mu.Unlock()
}

func main() {
	s := &Stats{}
	done := make(chan bool)
	go func() {
		s.Handle()
		done <- true
	}()
	s.Handle()
	<-done
}
