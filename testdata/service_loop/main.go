// Command service_loop has a goroutine that serves orders for ever. Each order is a
// unit of work, and takes two critical sections.
package main

import "sync"

// Shop counts what is in stock and what has been sold.
type Shop struct {
	mu    sync.Mutex
	stock int
	sold  int
}

// Serve carries out the orders that come in.
func (s *Shop) Serve(orders <-chan int) {
	for n := range orders {
		s.mu.Lock()
		s.stock -= n
		s.mu.Unlock()
		s.mu.Lock()
		s.sold += n // between the two, goods are in neither
		s.mu.Unlock()
	}
}

// Total returns how many goods there have ever been.
func (s *Shop) Total() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	total := s.stock
	total += s.sold
	return total
}

func main() {
	s := &Shop{stock: 9}
	orders := make(chan int)
	go s.Serve(orders)
	orders <- 2
	println(s.Total())
	orders <- 3
	close(orders)
}
