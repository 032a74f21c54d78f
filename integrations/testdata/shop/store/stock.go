// Package store keeps what a shop has.
package store

import "sync"

// Stock counts things by name, and all of them.
type Stock struct {
	mu     sync.Mutex
	counts map[string]int
	total  int
}

// New returns an empty stock.
func New() *Stock { return &Stock{counts: map[string]int{}} }

// Deliver adds to the stock.
func (s *Stock) Deliver(name string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[name] += n
	s.total += n
}

// Take takes from the stock, if there is enough. It reports whether there was.
func (s *Stock) Take(name string, n int) bool {
	s.mu.Lock()
	there := s.counts[name]
	s.mu.Unlock()
	if there < n {
		return false
	}
	s.mu.Lock()
	s.counts[name] -= n
	s.total -= n
	s.mu.Unlock()
	return true
}

// Size returns how many kinds of things there are, and how many pieces.
func (s *Stock) Size() (kinds, pieces int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.counts), s.total
}
