package main

import "sync"

// statistics are about all requests.
type statistics struct {
	mu              sync.Mutex
	requests, bytes int
	mean            int // bytes for a request
	old             int // looks at a mean that was not of this moment
}

func (s *statistics) add(bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	s.bytes += bytes
}

// update computes what follows from the rest.
func (s *statistics) update() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mean = s.bytes / s.requests
}

// count counts a request more.
func (s *statistics) count(bytes int) {
	s.add(bytes)
	s.update()
}

// now is how it is at this moment.
func (s *statistics) now() (requests, bytes, mean int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.requests > 0 && s.mean != s.bytes/s.requests {
		s.old++
	}
	return s.requests, s.bytes, s.mean
}
