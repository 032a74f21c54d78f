// Package library_error_path_fixed: the mended library_error_path.
package library_error_path_fixed

import (
	"errors"
	"sync"
)

// Store keeps numbers.
type Store struct {
	mu    sync.Mutex
	total int
}

// Add adds a number that is not negative.
func (s *Store) Add(n int) error {
	s.mu.Lock()
	if n < 0 {
		s.mu.Unlock()
		return errors.New("negative")
	}
	s.total += n
	s.mu.Unlock()
	return nil
}
