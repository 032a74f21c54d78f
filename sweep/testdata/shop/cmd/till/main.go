package main

import (
	"fmt"
	"sync"

	"shop/ledger"
)

type shelf struct {
	mu          sync.Mutex
	full, spare int
}

func (s *shelf) take() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full == 0 {
		s.full, s.spare = s.spare, 0
	}
	s.full--
	return s.full >= 0
}

func main() {
	book, goods := &ledger.Ledger{}, &shelf{full: 3, spare: 4}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if goods.take() {
				book.Add(2)
			}
			fmt.Println(book.Mean())
		})
	}
	wg.Wait()
}
