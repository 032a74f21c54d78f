// Command base_with_lock_fixed has two stores whose lock, with the functions that take it, is in a type that they embed.
package main

import (
	"fmt"
	"sync"
)

type guarded struct{ mu sync.Mutex }

func (g *guarded) acquire() { g.mu.Lock() }

func (g *guarded) release() { g.mu.Unlock() }

// Store is items, and the sum of them.
type Store struct {
	guarded
	items []int
	sum   int
}

// Add adds an item.
func (s *Store) Add(v int) {
	s.acquire()
	defer s.release()
	s.items = append(s.items, v)
	s.sum += v
}

// Mean returns the mean of the items.
func (s *Store) Mean() int {
	s.acquire()
	defer s.release()
	if len(s.items) == 0 {
		return 0
	}
	return s.sum / len(s.items)
}

// Empty removes all items of another store.
func (s *Store) Empty(other *Store) {
	other.acquire()
	defer other.release()
	other.items = nil
	other.sum = 0
}

func main() {
	near := &Store{}
	far := &Store{}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { near.Add(i) })
		wg.Go(func() { far.Add(i) })
		wg.Go(func() { fmt.Println(near.Mean(), far.Mean()) })
	}
	wg.Go(func() { near.Empty(far) })
	wg.Wait()
}
