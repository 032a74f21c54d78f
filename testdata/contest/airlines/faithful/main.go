// Command airlines has agents sell the tickets of a flight, until one of them
// notices that the plane is full and stops the sales. Nothing is locked. Sales
// get lost, the flag comes too late for agents that have been sent out already,
// and the result is printed before they are done: the flight is oversold.
package main

import "fmt"

// Flight counts the seats sold.
type Flight struct {
	capacity  int
	seatsSold int
	stopSales bool
}

// Sell sells a seat, and stops the sales if that was one too many.
func (f *Flight) Sell() {
	f.seatsSold++
	if f.seatsSold > f.capacity {
		f.stopSales = true
	}
}

// Stopped tells whether the sales are stopped. If so, it takes back the sale that
// was one too many.
func (f *Flight) Stopped() bool {
	if !f.stopSales {
		return false
	}
	f.seatsSold--
	return true
}

// Sold returns the number of seats sold.
func (f *Flight) Sold() int {
	return f.seatsSold
}

func main() {
	const tickets = 100
	flight := &Flight{capacity: tickets - tickets/10}

	for range tickets {
		if flight.Stopped() {
			break
		}
		go flight.Sell() // nobody waits for the agents
	}

	fmt.Println(flight.Sold(), "of", flight.capacity, "seats sold")
}
