package main

import "sync"

// search is for what happened on some days. A day is found, has failed, or is left out as its task was cancelled.
type search struct {
	mu     sync.Mutex
	open   int // days without an answer
	found  map[int][]observation
	left   map[int]bool
	failed int
	blamed []int // workers whose tasks were cancelled
}

func newSearch(days int) *search {
	return &search{open: days, found: map[int][]observation{}, left: map[int]bool{}}
}

// add adds what was found on a day.
func (s *search) add(day int, found []observation, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.failed++
	} else {
		s.found[day] = found
	}
	s.open--
}

// leaveOut says that a day gets no answer, if it has none, and which worker was at it, 0 for nobody.
func (s *search) leaveOut(day, worker int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if worker != 0 {
		s.blamed = append(s.blamed, worker)
	}
	if _, ok := s.found[day]; !ok {
		s.open--
		s.left[day] = true
	}
}

// both are the days that are found and left out.
func (s *search) both() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for day := range s.left {
		if _, ok := s.found[day]; ok {
			n++
		}
	}
	return n
}
