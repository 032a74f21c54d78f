// Settings that are to be replaced as a whole: readers take the current ones
// without a lock, writers build new ones from them and publish those. But the new
// ones share the map of the old ones, which readers have.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Settings do not change once they are published.
type Settings struct {
	Version int
	Values  map[string]string
}

// Store holds the current settings.
type Store struct {
	mu      sync.Mutex // held by writers
	current atomic.Pointer[Settings]
}

// NewStore returns a store of empty settings.
func NewStore() *Store {
	s := &Store{}
	s.current.Store(&Settings{Values: map[string]string{}})
	return s
}

// Set changes one of the settings.
func (s *Store) Set(key, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.current.Load()
	next := &Settings{Version: old.Version + 1, Values: old.Values} // the same map
	next.Values[key] = value
	s.current.Store(next)
}

// Describe returns one state of the settings.
func (s *Store) Describe() string {
	now := s.current.Load()
	return fmt.Sprintf("version %d, %d values", now.Version, len(now.Values))
}

func main() {
	s := NewStore()
	var wg sync.WaitGroup
	for _, key := range []string{"colour", "size"} {
		wg.Go(func() { s.Set(key, "x") })
	}
	wg.Go(func() { _ = s.Describe() })
	wg.Wait()
	fmt.Println(s.Describe())
}
