// Package stock counts what is in a store.
package stock

import "sync"

// Stock is a count for each article.
type Stock struct {
	mu    sync.Mutex
	count map[string]int
}

// New returns an empty stock.
func New() *Stock { return &Stock{count: map[string]int{}} }

// Add puts some of an article in.
func (s *Stock) Add(name string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count[name] += n
}

// Take takes some of an article out, if there are enough of it.
func (s *Stock) Take(name string, n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count[name] < n {
		return false
	}
	s.count[name] -= n
	return true
}

// Left returns how many there are.
func (s *Stock) Left(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count[name]
}
