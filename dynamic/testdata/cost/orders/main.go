// Command orders matches buyers and sellers in a book with a heap for each side.
package main

import (
	"container/heap"
	"fmt"
	"sync"
)

type order struct{ price, amount, time int }

// side is the open orders of one side, the best first.
type side struct {
	orders []order
	high   bool // the highest price is the best
}

func (s *side) Len() int { return len(s.orders) }

func (s *side) Less(i, j int) bool {
	a, b := s.orders[i], s.orders[j]
	if a.price != b.price {
		return a.price > b.price == s.high
	}
	return a.time < b.time
}

func (s *side) Swap(i, j int) { s.orders[i], s.orders[j] = s.orders[j], s.orders[i] }

func (s *side) Push(x any) { s.orders = append(s.orders, x.(order)) }

func (s *side) Pop() any {
	last := s.orders[len(s.orders)-1]
	s.orders = s.orders[:len(s.orders)-1]
	return last
}

// Book is the open orders of a paper.
type Book struct {
	mu         sync.RWMutex
	buy, sell  side
	clock      int
	traded     int
	last       int
	best, ask  int
	historySum int
}

// Place places an order and carries out what can be.
func (b *Book) Place(isBuy bool, price, amount int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clock++
	own, other := &b.sell, &b.buy
	if isBuy {
		own, other = other, own
	}
	for amount > 0 && other.Len() > 0 {
		best := &other.orders[0]
		if isBuy && best.price > price || !isBuy && best.price < price {
			break
		}
		n := min(amount, best.amount)
		amount, best.amount = amount-n, best.amount-n
		b.traded, b.last = b.traded+n, best.price
		if best.amount == 0 {
			heap.Pop(other)
		}
	}
	if amount > 0 {
		heap.Push(own, order{price, amount, b.clock})
	}
	if b.buy.Len() > 0 {
		b.best = b.buy.orders[0].price
	}
	if b.sell.Len() > 0 {
		b.ask = b.sell.orders[0].price
	}
	b.historySum += b.last
}

// Quote returns the best prices.
func (b *Book) Quote() (buy, sell int) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.best, b.ask
}

func main() {
	books := [4]*Book{}
	for i := range books {
		books[i] = &Book{buy: side{high: true}}
	}
	var wg sync.WaitGroup
	for g := range 5 {
		wg.Go(func() {
			seed, spread := uint32(g+1), 0
			for i := range 30_000 {
				seed = seed*1664525 + 1013904223
				b := books[seed>>30]
				if i%3 == 0 {
					buy, sell := b.Quote()
					spread += sell - buy
					continue
				}
				b.Place(seed>>8&1 == 0, 1000+int(seed>>10)%64, 1+int(seed>>20)%16)
			}
		})
	}
	wg.Wait()
	total := 0
	for _, b := range books {
		total += b.traded
	}
	fmt.Println(total > 0)
}
