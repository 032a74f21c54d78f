package main

import "sync"

// statistics are about what was asked.
type statistics struct {
	mu         sync.Mutex
	asks, hits int
	percent    int // of the asks that were hits
	old        int // looks at a percentage that was not of this moment
}

func (s *statistics) add(hit bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asks++
	if hit {
		s.hits++
	}
}

// update computes what follows from the rest.
func (s *statistics) update() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.percent = 100 * s.hits / s.asks
}

// count counts an ask more.
func (s *statistics) count(hit bool) {
	s.add(hit)
	s.update()
}

// now is how it is at this moment.
func (s *statistics) now() (asks, hits, percent int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asks > 0 && s.percent != 100*s.hits/s.asks {
		s.old++
	}
	return s.asks, s.hits, s.percent
}
