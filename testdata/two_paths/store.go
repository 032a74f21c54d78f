package main

import (
	"slices"
	"sync"
)

// Store keeps sessions by user and in the order in which they were opened.
type Store struct {
	mu     sync.Mutex
	byUser map[string]*session
	inTime []*session
}

// NewStore returns an empty store.
func NewStore() *Store {
	return &Store{byUser: make(map[string]*session)}
}

// Open opens a session.
func (s *Store) Open(user string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	opened := &session{user: user}
	s.byUser[user] = opened
	s.inTime = append(s.inTime, opened)
}

// Use records a request in a session.
func (s *Store) Use(user, path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := s.byUser[user]; found != nil {
		found.touch(path)
	}
}

// List returns the sessions as lines of text. It copies the list under the
// lock, but the copy has the same sessions, which Use finds in the map.
func (s *Store) List() []string {
	s.mu.Lock()
	sessions := slices.Clone(s.inTime)
	s.mu.Unlock() // too early: the lock guards the sessions, too

	var lines []string
	for _, listed := range sessions {
		lines = append(lines, listed.line())
	}
	return lines
}
