package main

import "sync"

// simple is a barrier of one counter that all goroutines share, with a lock.
type simple struct {
	mu          sync.Mutex
	next        *sync.Cond
	come, round int
}

func newSimple() *simple {
	s := &simple{}
	s.next = sync.NewCond(&s.mu)
	return s
}

func (s *simple) meet(int) {
	//empire:yield
	round := s.arrive()
	//empire:yield
	s.pass(round)
}

// arrive counts one more, and returns the number of the round. With the last one the next round begins.
func (s *simple) arrive() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	round := s.round
	if s.come++; s.come == goroutines {
		s.come = 0
		s.round++
		s.next.Broadcast()
	}
	return round
}

// pass waits for the next round.
func (s *simple) pass(round int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.round == round {
		s.next.Wait()
	}
}
