// Command tickets_in_shop_fixed sells what is in a shop to customers who come one at
// a time, with a ticket.
package main

import (
	"sync"
	"time"
)

const customers = 1 // how many may be inside at once

// Shop has things to sell, and as many tickets as there may be customers inside.
type Shop struct {
	tickets chan struct{}
	left    int
}

// Open opens a shop.
func Open(left int) *Shop {
	s := &Shop{tickets: make(chan struct{}, customers), left: left}
	for range customers {
		s.tickets <- struct{}{}
	}
	return s
}

// Buy buys a thing. Customers do not wait for ever.
func (s *Shop) Buy() bool {
	select {
	case <-s.tickets:
	case <-time.After(5 * time.Second):
		return false
	}
	defer func() { s.tickets <- struct{}{} }()
	if s.left == 0 {
		return false
	}
	s.left--
	return true
}

func main() {
	shop := Open(3)
	bought := make([]bool, 4)
	var wg sync.WaitGroup
	for i := range bought {
		wg.Add(1)
		go func() {
			defer wg.Done()
			bought[i] = shop.Buy()
		}()
	}
	wg.Wait()
	if !bought[0] && !bought[1] && !bought[2] && !bought[3] {
		panic("closed")
	}
}
