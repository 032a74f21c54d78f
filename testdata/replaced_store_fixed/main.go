// Command replaced_store_fixed has a service that leaves its data to a store with a lock of
// its own. The store is replaced as a whole when the service is reset; a summary asks
// one store.
package main

import (
	"sync"
	"sync/atomic"
)

type store struct {
	mu      sync.Mutex
	numbers map[string]int
}

func (s *store) sum(a, b string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.numbers[a] + s.numbers[b]
}

// Service keeps numbers.
type Service struct {
	mu    sync.Mutex
	store *store
	sums  atomic.Int64
}

func (s *Service) current() *store {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.store
}

// Sum returns the sum of two numbers.
func (s *Service) Sum(a, b string) int {
	s.sums.Add(1)
	return s.current().sum(a, b)
}

// Reset makes the service keep other numbers.
func (s *Service) Reset(numbers map[string]int) {
	next := &store{numbers: numbers}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store = next
}

func main() {
	s := &Service{store: &store{numbers: map[string]int{"a": 1, "b": 1}}}
	var wg sync.WaitGroup
	wg.Go(func() { s.Reset(map[string]int{"a": 2, "b": 2}) })
	println(s.Sum("a", "b"))
	wg.Wait()
}
