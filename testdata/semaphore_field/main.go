// Command semaphore_field has stores, each with a channel of its own for a lock. Add lets go
// of it half way.
package main

import (
	"fmt"
	"sync"
)

// Store is keys and their number.
type Store struct {
	sem   chan struct{}
	keys  []string
	count int
}

// NewStore returns an empty store.
func NewStore() *Store { return &Store{sem: make(chan struct{}, 1)} }

// Add adds a key.
func (s *Store) Add(k string) {
	s.sem <- struct{}{}
	s.keys = append(s.keys, k)
	<-s.sem
	s.sem <- struct{}{} // the count is one behind until here
	s.count++
	<-s.sem
}

// Size returns how many keys there are, twice.
func (s *Store) Size() (int, int) {
	s.sem <- struct{}{}
	defer func() { <-s.sem }()
	n := len(s.keys)
	return n, s.count
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
	fmt.Println(all[0].Size())
	wg.Wait()
}
