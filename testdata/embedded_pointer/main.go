// Command embedded_pointer counts with a counter that embeds its state by pointer:
// Inc is promoted, so it is a unit of work on the counter, and its two
// critical sections are one too many.
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

// Inc adds one, in two critical sections.
func (s *state) Inc() { s.set(s.get() + 1) }

// Counter counts.
type Counter struct{ *state }

func main() {
	counter := &Counter{state: &state{}}
	go counter.Inc()
	counter.Inc()
}
