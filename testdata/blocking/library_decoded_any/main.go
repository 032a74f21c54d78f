// Package library_decoded_any decodes into whatever its clients name, the limit among it; with one, to take waits for
// nobody.
//
// open: which memory is written is what is not known.
package library_decoded_any

import (
	"encoding/json"
	"sync"
)

// Store is what values are taken from.
type Store struct {
	mu      sync.Mutex
	limit   int
	targets map[string]any
	never   chan int
}

// New makes a store.
func New() *Store {
	s := &Store{targets: map[string]any{}, never: make(chan int)}
	s.targets["limit"] = &s.limit
	return s
}

// Load decodes a value.
func (s *Store) Load(name string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return json.Unmarshal(data, s.targets[name])
}

// Take takes a value.
func (s *Store) Take() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.limit > 0 {
		<-s.never
	}
}
