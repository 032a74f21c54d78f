// Package library_decoded_any_fixed decodes into what its clients hand over.
package library_decoded_any_fixed

import (
	"encoding/json"
	"sync"
)

// Store is what values are taken from.
type Store struct {
	mu    sync.Mutex
	limit int
	never chan int
}

// New makes a store.
func New() *Store {
	return &Store{never: make(chan int)}
}

// Load decodes a value.
func (s *Store) Load(target any, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return json.Unmarshal(data, target)
}

// Take takes a value.
func (s *Store) Take() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.limit > 0 {
		<-s.never
	}
}
