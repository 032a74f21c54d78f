// Package size has a store that keeps its size beside its map.
package size

import "sync"

// Store keeps values.
type Store struct {
	mu     sync.Mutex
	values map[string]int
	size   int // goes up and down with the values
	stored int // only goes up
}

// New returns a store.
func New() *Store { return &Store{values: map[string]int{}} }

// Put keeps a value.
func (s *Store) Put(key string, v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stored++
	if _, ok := s.values[key]; !ok {
		s.size++
	}
	s.values[key] = v
}

// Delete forgets a value.
func (s *Store) Delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.values[key]; ok {
		delete(s.values, key)
		s.size--
	}
}

// Len returns how many values there are.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.size
}

// Stored returns how many values have ever been stored.
func (s *Store) Stored() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stored
}
