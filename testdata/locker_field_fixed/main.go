// Command locker_field_fixed has stores, each with a lock of its own behind an interface. Add
// keeps it until both fields are written.
package main

import (
	"fmt"
	"sync"
)

// Store is keys and their number.
type Store struct {
	mu    sync.Locker
	keys  []string
	count int
}

// NewStore returns an empty store.
func NewStore() *Store { return &Store{mu: &sync.Mutex{}} }

// Add adds a key.
func (s *Store) Add(k string) {
	s.mu.Lock()
	s.keys = append(s.keys, k)
	s.count++
	s.mu.Unlock()
}

// Size returns how many keys there are, twice.
func (s *Store) Size() (int, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
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
