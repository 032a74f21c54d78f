package store

import "sync"

// Stats counts requests and those of them that failed.
type Stats struct {
	mu       sync.Mutex
	requests int
	failures int
}

// Count counts a request.
func (s *Stats) Count(failed bool) {
	s.mu.Lock()
	s.requests++
	s.mu.Unlock()
	if failed {
		s.mu.Lock()
		s.failures++
		s.mu.Unlock()
	}
}

// Report returns the counts.
func (s *Stats) Report() (requests, failures int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests, s.failures
}
