// Command retry_loop empties a store while another goroutine looks at it. The
// loop takes the lock for each piece.
package main

import "sync"

// Store has pieces that are left or taken.
type Store struct {
	mu    sync.Mutex
	left  int
	taken int
}

// Empty takes all that is left.
func (s *Store) Empty() {
	for {
		if s.try() { // others can look at the store between two calls
			break
		}
	}
}

// try takes a piece. It reports whether it was the last one.
func (s *Store) try() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left--
	s.taken++
	return s.left == 0
}

// Get returns how many pieces are left and how many are taken.
func (s *Store) Get() (left, taken int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left = s.left
	taken = s.taken
	return left, taken
}

func main() {
	s := &Store{left: 3}
	go s.Empty()
	println(s.Get())
}
