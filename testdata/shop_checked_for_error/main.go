// Command shop_checked_for_error sells while a shop is open and has stock. A helper says why not.
package main

import (
	"errors"
	"sync"
)

// Shop has stock.
type Shop struct {
	mu    sync.Mutex
	shut  bool
	stock int
}

// check reports why nothing can be sold. The caller holds the lock.
func (s *Shop) check() error {
	if s.shut {
		return errors.New("shut")
	}
	if s.stock == 0 {
		return errors.New("sold out")
	}
	return nil
}

// Sell sells one piece to who pays.
func (s *Shop) Sell(pay func()) error {
	s.mu.Lock()
	err := s.check()
	s.mu.Unlock()
	if err != nil {
		return err
	}
	pay()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shut { // BUG: not what was asked before
		return errors.New("too late")
	}
	s.stock--
	return nil
}

// Shut shuts the shop and clears it.
func (s *Shop) Shut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shut = true
	s.stock = 0
}

func main() {
	shop := &Shop{stock: 1}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { shop.Sell(func() {}) })
	}
	wg.Go(shop.Shut)
	wg.Wait()
}
