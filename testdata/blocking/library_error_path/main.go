// Package library_error_path: On the path of an error the lock is kept.
package library_error_path

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
	s.mu.Lock() // want deadlock
	if n < 0 {
		return errors.New("negative")
	}
	s.total += n
	s.mu.Unlock()
	return nil
}
