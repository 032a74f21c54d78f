// Command cart_in_struct_fixed buys while another goroutine looks at the bill, with the cart in a
// struct that is handed around by value.
package main

import "sync"

// Cart is what is to be paid for.
type Cart struct {
	sync.Mutex
	items []string
	total int
}

// Shop has a cart.
type Shop struct{ *Cart }

// Buy puts an item into the cart.
func (s Shop) Buy(item string, price int) {
	func() {
		s.Lock()
		s.items = append(s.items, item)
	}()
	s.total += price
	s.Unlock()
}

// Bill returns the number of items and what they cost.
func (s Shop) Bill() (items, total int) {
	s.Lock()
	defer s.Unlock()
	return len(s.items), s.total
}

func main() {
	s := Shop{&Cart{}}
	var wg sync.WaitGroup
	wg.Go(func() { s.Buy("tea", 3) })
	if items, total := s.Bill(); items > 0 && total == 0 {
		panic("not paid for")
	}
	wg.Wait()
}
