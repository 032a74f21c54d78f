// Command airlines has agents sell the tickets of a flight. Selling a seat and
// stopping the sales when it was the last one is one critical section.
package main

import (
	"fmt"
	"sync"
)

// Flight counts the seats sold.
type Flight struct {
	capacity int

	mu        sync.Mutex
	seatsSold int
	stopSales bool
}

// Sell sells a seat. It reports whether there was one.
func (f *Flight) Sell() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stopSales {
		return false
	}
	f.seatsSold++
	f.stopSales = f.seatsSold == f.capacity
	return true
}

// Stopped tells whether the sales are stopped.
func (f *Flight) Stopped() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stopSales
}

// Sold returns the number of seats sold.
func (f *Flight) Sold() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seatsSold
}

func main() {
	const tickets = 100
	flight := &Flight{capacity: tickets - tickets/10}

	var wg sync.WaitGroup
	for range tickets {
		if flight.Stopped() {
			break
		}
		wg.Go(func() { flight.Sell() })
	}
	wg.Wait()

	fmt.Println(flight.Sold(), "of", flight.capacity, "seats sold")
}
