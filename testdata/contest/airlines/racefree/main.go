// Command airlines has agents sell the tickets of a flight, until one of them
// notices that the plane is full and stops the sales. The counter and the flag
// are atomic, so a race detector is silent. But counting, comparing and stopping
// are three steps, and the flag comes too late for agents that have been sent
// out already: the flight is oversold.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Flight counts the seats sold.
type Flight struct {
	capacity  int64
	seatsSold atomic.Int64
	stopSales atomic.Bool
}

// Sell sells a seat, and stops the sales if that was one too many.
func (f *Flight) Sell() {
	f.seatsSold.Add(1)
	if f.seatsSold.Load() > f.capacity {
		f.stopSales.Store(true)
	}
}

// Stopped tells whether the sales are stopped. If so, it takes back the sale that
// was one too many.
func (f *Flight) Stopped() bool {
	if !f.stopSales.Load() {
		return false
	}
	f.seatsSold.Add(-1)
	return true
}

// Sold returns the number of seats sold.
func (f *Flight) Sold() int64 {
	return f.seatsSold.Load()
}

func main() {
	const tickets = 100
	flight := &Flight{capacity: tickets - tickets/10}

	var wg sync.WaitGroup
	for range tickets {
		if flight.Stopped() {
			break
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			flight.Sell()
		}()
	}
	wg.Wait()

	fmt.Println(flight.Sold(), "of", flight.capacity, "seats sold")
}
