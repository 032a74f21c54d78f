// Command stock_and_buyers sells things, and knows for each how many there are and
// who bought it last.
package main

import "sync"

// Stock has two maps with the same keys.
type Stock struct {
	mu     sync.Mutex
	left   map[string]int
	buyers map[string]string
}

// NewStock returns a stock with some of each thing.
func NewStock(n int, things ...string) *Stock {
	s := &Stock{left: map[string]int{}, buyers: map[string]string{}}
	for _, thing := range things {
		s.left[thing] = n
	}
	return s
}

// Sell sells a thing.
func (s *Stock) Sell(thing, buyer string) bool {
	s.mu.Lock()
	if s.left[thing] == 0 {
		s.mu.Unlock()
		return false
	}
	s.left[thing]--
	s.mu.Unlock()

	s.mu.Lock() // BUG: somebody else may have bought one since
	s.buyers[thing] = buyer
	s.mu.Unlock()
	return true
}

// Last returns how many are left of a thing, and who bought it last.
func (s *Stock) Last(thing string) (int, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := s.left[thing]
	buyer := s.buyers[thing]
	return left, buyer
}

func main() {
	stock := NewStock(3, "pen", "ink")
	var wg sync.WaitGroup
	wg.Go(func() { stock.Sell("pen", "ann") })
	wg.Go(func() { stock.Sell("pen", "bob") })
	wg.Go(func() {
		if left, _ := stock.Last("pen"); left == 0 {
			panic("sold out")
		}
	})
	wg.Wait()
}
