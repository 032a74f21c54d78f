// Command cond_if_fixed is cond_if with a loop: whoever is woken up looks again.
package main

import "sync"

// Stock holds a number of items; taken counts those that have been taken.
type Stock struct {
	mu    sync.Mutex
	some  *sync.Cond
	items int
	taken int
}

func newStock() *Stock {
	s := &Stock{}
	s.some = sync.NewCond(&s.mu)
	return s
}

// Put adds an item.
func (s *Stock) Put() {
	s.mu.Lock()
	s.items++
	s.mu.Unlock()
	s.some.Broadcast()
}

// Take removes an item.
func (s *Stock) Take() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.items == 0 {
		s.some.Wait()
	}
	s.items--
	s.taken++
}

func main() {
	s := newStock()
	var all sync.WaitGroup
	for range 2 {
		all.Add(1)
		go func() {
			s.Take()
			all.Done()
		}()
	}
	s.Put()
	s.Put()
	all.Wait()
}
