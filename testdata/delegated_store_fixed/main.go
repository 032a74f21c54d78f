// Command delegated_store_fixed has a service that leaves its data to a store with a lock of
// its own. The store is set when the service is made. A visit is one call.
package main

import "sync"

type store struct {
	mu      sync.Mutex
	numbers map[string]int
}

func (s *store) get(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.numbers[name]
}

func (s *store) add(name string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.numbers[name] += n
}

// Service counts visits.
type Service struct {
	store *store
}

// NewService returns a service without visits.
func NewService() *Service {
	return &Service{store: &store{numbers: map[string]int{}}}
}

// Visit counts a visit.
func (s *Service) Visit(name string) {
	s.store.add(name, 1)
}

// Visits returns how many there were.
func (s *Service) Visits(name string) int {
	return s.store.get(name)
}

func main() {
	s := NewService()
	var wg sync.WaitGroup
	wg.Go(func() { s.Visit("ann") })
	wg.Go(func() { s.Visit("ann") })
	println(s.Visits("ann"))
	wg.Wait()
}
