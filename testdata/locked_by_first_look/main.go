// Command locked_by_first_look takes a lock if a journal is on, and releases it if it
// is on later.
package main

import "sync"

// Store has a journal, which can be on; writing guards what is written there.
type Store struct {
	mu      sync.Mutex
	journal bool
	writing sync.Mutex
}

// Write writes something.
func (s *Store) Write() {
	s.mu.Lock()
	if s.journal {
		s.writing.Lock()
	}
	s.mu.Unlock()
	println("written")
	s.mu.Lock()
	if s.journal { // it may be on only now
		s.writing.Unlock()
	}
	s.mu.Unlock()
}

// Enable turns the journal on.
func (s *Store) Enable() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.journal = true
}

func main() {
	s := &Store{journal: true}
	var wg sync.WaitGroup
	wg.Go(s.Write)
	wg.Go(s.Enable)
	wg.Wait()
}
