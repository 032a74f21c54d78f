// Command sessions_activated has sessions that are pending at first and active
// later. Each is in one of two maps.
package main

import "sync"

// Sessions are pending or active.
type Sessions struct {
	mu      sync.RWMutex
	pending map[int]string
	active  map[int]string
}

// take takes a session from those that are pending.
func (s *Sessions) take(id int) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	user, ok := s.pending[id]
	delete(s.pending, id)
	return user, ok
}

// Activate makes a pending session active.
func (s *Sessions) Activate(id int) bool {
	user, ok := s.take(id)
	if !ok {
		return false
	}
	s.mu.Lock() // BUG: until now it is in none of the maps
	s.active[id] = user
	s.mu.Unlock()
	return true
}

// Known reports whether there is such a session.
func (s *Sessions) Known(id int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if _, ok := s.active[id]; ok {
		return true
	}
	_, ok := s.pending[id]
	return ok
}

func main() {
	sessions := &Sessions{
		pending: map[int]string{1: "ann", 2: "bob"},
		active:  map[int]string{},
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for id := range 4 {
			sessions.Activate(id)
		}
	})
	wg.Go(func() {
		if !sessions.Known(2) {
			panic("please log in")
		}
	})
	wg.Wait()
}
