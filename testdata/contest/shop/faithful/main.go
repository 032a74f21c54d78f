// Command shop has customers buy what a supplier brings. Each method of the shop is
// one critical section. But a customer first asks whether there is something, and
// takes it afterwards: in between, another customer can take the last item. A race
// detector has nothing to report. And main gives the supplier a moment instead of
// waiting for it.
package main

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
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
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.top == -1 {
		return "", errEmpty
	}
	item := s.storage[s.top]
	s.top--
	return item, nil
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
	go func() {
		for i := range 10 * customers {
			shop.Put(fmt.Sprint("item ", i))
		}
	}()
	time.Sleep(10 * time.Millisecond)

	var failed atomic.Int64
	var wg sync.WaitGroup
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
