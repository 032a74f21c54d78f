// Command service_loop_wrapped has a goroutine that serves orders until there are no
// more, in a method that a function literal calls. Each order is a unit of work, and
// takes two critical sections.
package main

import (
	"fmt"
	"sync"
)

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
	var done sync.WaitGroup
	done.Add(1)
	go func() {
		defer done.Done()
		s.Serve(orders)
	}()
	orders <- 2
	fmt.Println(s.Total())
	orders <- 3
	close(orders)
	done.Wait()
}
