// Command inner_map_shared_fixed has shops with a stock each, made in one place. Each has a map of its own, inside the
// stock, which its own lock guards.
package main

import (
	"fmt"
	"maps"
	"sync"
)

type stock struct{ amounts map[string]int }

func newStock() *stock { return &stock{amounts: map[string]int{}} }

// Shop sells what is in its stock.
type Shop struct {
	mu    sync.Mutex
	stock *stock
}

// NewShop returns a shop that has nothing.
func NewShop() *Shop { return &Shop{stock: newStock()} }

// Deliver adds to the stock.
func (s *Shop) Deliver(what string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	have := s.stock.amounts[what]
	s.stock.amounts[what] = have + n
}

// Sell takes one out of the stock.
func (s *Shop) Sell(what string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stock.amounts[what] == 0 {
		return false
	}
	s.stock.amounts[what]--
	return true
}

func main() {
	var shops []*Shop
	for range 2 {
		shops = append(shops, NewShop())
	}
	shops[0].Deliver("apples", 3)
	// The second shop begins with a copy of what the first one has.
	shops[1].stock.amounts = maps.Clone(shops[0].stock.amounts)

	var wg sync.WaitGroup
	for _, shop := range shops {
		wg.Go(func() {
			shop.Deliver("apples", 2)
			shop.Sell("apples")
		})
	}
	wg.Wait()
	fmt.Println(shops[0].Sell("apples"), shops[1].Sell("pears"))
}
