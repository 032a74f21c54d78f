// Command embedded_pointer_fixed counts with a counter that embeds its state by pointer:
// Inc is promoted, so it is a unit of work on the counter.
package main

import "sync"

type state struct {
	mu sync.Mutex
	n  int
}

func (s *state) get() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n
}

func (s *state) set(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n = n
}

// Inc adds one.
func (s *state) Inc() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
}

// Counter counts.
type Counter struct{ *state }

func main() {
	counter := &Counter{state: &state{}}
	go counter.Inc()
	counter.Inc()
}
