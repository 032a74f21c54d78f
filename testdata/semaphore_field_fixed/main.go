// Command semaphore_field_fixed has stores, each with a channel of its own for a lock. Add
// keeps it until both fields are written.
package main

import (
	"fmt"
	"sync"
)

// Store is keys and the last one of them.
type Store struct {
	sem  chan struct{}
	keys []string
	last string
}

// NewStore returns an empty store.
func NewStore() *Store { return &Store{sem: make(chan struct{}, 1)} }

// Add adds a key.
func (s *Store) Add(k string) {
	s.sem <- struct{}{}
	s.keys = append(s.keys, k)
	s.last = k
	<-s.sem
}

// State returns how many keys there are, and the last one.
func (s *Store) State() (int, string) {
	s.sem <- struct{}{}
	defer func() { <-s.sem }()
	n := len(s.keys)
	return n, s.last
}

func main() {
	var all []*Store
	for range 3 {
		all = append(all, NewStore())
	}
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() { all[i%3].Add("k") })
	}
	fmt.Println(all[0].State())
	wg.Wait()
}
