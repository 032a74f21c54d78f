// Command once_in_the_set opens a store at the first use: a sync.Once is one of the fields of
// the checked object. Put tells the names and the sizes in two steps, and so does Rename.
package main

import (
	"fmt"
	"sync"
)

// Store has an open file.
type Store struct {
	open sync.Once
	mu   sync.Mutex
	name string
	size int
}

func (s *Store) start() {
	s.open.Do(func() {
		s.mu.Lock()
		s.name = "none"
		s.mu.Unlock()
	})
}

// Put replaces what is stored.
func (s *Store) Put(name string, size int) {
	s.start()
	s.mu.Lock()
	s.name = name
	s.mu.Unlock()
	s.mu.Lock()
	s.size = size
	s.mu.Unlock()
}

// Grow takes the size first.
func (s *Store) Grow(by int) string {
	s.start()
	s.mu.Lock()
	s.size += by
	s.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.name
}

func main() {
	store := &Store{}
	done := make(chan bool)
	go func() {
		store.Put("a", 3)
		done <- true
	}()
	fmt.Println(store.Grow(1) != "")
	<-done
}
