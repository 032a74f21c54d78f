// Command lock_made_by_call_fixed has stores, each with a guard that a function makes. Add
// keeps it until both fields are written.
package main

import (
	"fmt"
	"sync"
)

// Store is keys and their number.
type Store struct {
	guard *guard
	keys  []string
	count int
}

// NewStore returns an empty store.
func NewStore() *Store { return &Store{guard: newGuard()} }

type guard struct {
	mu    sync.RWMutex
	waits int
}

func newGuard() *guard { return &guard{waits: 1} }

// Add adds a key.
func (s *Store) Add(k string) {
	s.guard.mu.Lock()
	s.keys = append(s.keys, k)
	s.count++
	s.guard.mu.Unlock()
}

// Size returns how many keys there are, twice.
func (s *Store) Size() (int, int) {
	s.guard.mu.Lock()
	defer s.guard.mu.Unlock()
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
