// Command shop has customers buy what a supplier brings. Every access holds the
// lock, so a race detector is silent. But a customer asks whether there is
// something, looks at it and takes it in three critical sections: in between,
// another customer can take the same item.
package main

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

var errEmpty = errors.New("the shop is empty")

// Shop has items in a storage.
type Shop struct {
	mu      sync.Mutex
	top     int // index of the last item, -1 for none
	storage [100]string
}

// NewShop returns an empty shop.
func NewShop() *Shop {
	return &Shop{top: -1}
}

// Put adds an item.
func (s *Shop) Put(item string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.top++
	s.storage[s.top] = item
}

// IsEmpty tells whether there is no item.
func (s *Shop) IsEmpty() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.top < 0
}

// Get takes an item out.
func (s *Shop) Get() (string, error) {
	item, err := s.last()
	if err == nil {
		s.drop()
	}
	return item, err
}

func (s *Shop) last() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.top <= -1 {
		return "", errEmpty
	}
	return s.storage[s.top], nil
}

func (s *Shop) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.top--
}

// buy is what a customer does: to ask and to take belong together.
//
//empire:unit
func buy(s *Shop) (string, error) {
	if s.IsEmpty() {
		return "", nil
	}
	return s.Get()
}

func main() {
	const customers = 3
	shop := NewShop()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for i := range 10 * customers {
			shop.Put(fmt.Sprint("item ", i))
		}
	}()
	wg.Wait()

	var failed atomic.Int64
	for range customers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 20 {
				if _, err := buy(shop); err != nil {
					failed.Add(1)
				}
			}
		}()
	}
	wg.Wait()
	fmt.Println(failed.Load(), "customers were disappointed")
}
