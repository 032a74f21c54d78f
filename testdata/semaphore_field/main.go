// Command semaphore_field has stores, each with a channel of its own for a lock. Add lets go
// of it half way.
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
	<-s.sem
	s.sem <- struct{}{} // the last one is not in last until here
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
