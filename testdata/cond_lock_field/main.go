// Command cond_lock_field has stores that are locked by way of their condition variables. Add
// lets go of it half way.
package main

import (
	"fmt"
	"sync"
)

// Store is keys and their number.
type Store struct {
	mu    sync.Mutex
	more  *sync.Cond // of mu
	keys  []string
	count int
}

// NewStore returns an empty store.
func NewStore() *Store {
	s := &Store{}
	s.more = sync.NewCond(&s.mu)
	return s
}

// Add adds a key.
func (s *Store) Add(k string) {
	s.more.L.Lock()
	s.keys = append(s.keys, k)
	s.more.L.Unlock()
	s.more.L.Lock() // the count is one behind until here
	s.count++
	s.more.L.Unlock()
}

// Size returns how many keys there are, twice.
func (s *Store) Size() (int, int) {
	s.more.L.Lock()
	defer s.more.L.Unlock()
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
