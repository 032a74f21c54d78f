// Package store has the source of a small package with a violation, for the tests of the integrations.
package store

import "strings"

// Broken is a package that keeps a map and a sum of it in two critical sections.
const Broken = `package store

import "sync"

type Store struct {
	mu    sync.Mutex
	items map[string]int
	total int
}

func New() *Store { return &Store{items: map[string]int{}} }

func (s *Store) Put(name string, n int) {
	s.mu.Lock()
	s.items[name] += n
	s.mu.Unlock()
	s.mu.Lock()
	s.total += n
	s.mu.Unlock()
}

func (s *Store) Sum() (names, total int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.items), s.total
}
`

// Mended is Broken with one critical section.
var Mended = strings.Replace(Broken, "\ts.mu.Unlock()\n\ts.mu.Lock()\n", "", 1)
