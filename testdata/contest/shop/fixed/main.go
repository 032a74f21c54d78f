// Command shop has customers buy what a supplier brings. To ask whether there is
// something and to take it are one critical section, and the customers come when
// the supplier is done.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

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

// Get takes an item out, if there is one.
func (s *Shop) Get() (item string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.top < 0 {
		return "", false
	}
	item = s.storage[s.top]
	s.top--
	return item, true
}

// buy is what a customer does.
//
//empire:unit
func buy(s *Shop) bool {
	item, ok := s.Get()
	return ok && item != ""
}

func main() {
	const customers = 3
	shop := NewShop()
	var supplier sync.WaitGroup
	supplier.Go(func() {
		for i := range 10 * customers {
			shop.Put(fmt.Sprint("item ", i))
		}
	})
	supplier.Wait()

	var bought atomic.Int64
	var wg sync.WaitGroup
	for range customers {
		wg.Go(func() {
			for range 20 {
				if buy(shop) {
					bought.Add(1)
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(bought.Load(), "items bought")
}
