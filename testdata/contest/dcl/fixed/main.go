// Command dcl sells the seats of a plane. The ticket of a seat is made once, by the
// first agent who asks for it.
package main

import (
	"fmt"
	"sync"
)

// Ticket is for one flight.
type Ticket struct {
	flight string
	agent  string
}

// Seat is a seat of the plane.
type Seat struct {
	once   sync.Once
	ticket *Ticket
}

// Order returns the ticket of the seat in words. If it has none, the agent makes
// it.
func (s *Seat) Order(agent string) string {
	s.once.Do(func() {
		s.ticket = &Ticket{flight: "EG 42", agent: agent}
	})
	return s.ticket.flight + ", sold by " + s.ticket.agent
}

func main() {
	seats := make([]*Seat, 3)
	for i := range seats {
		seats[i] = &Seat{}
	}

	var wg sync.WaitGroup
	for _, agent := range []string{"ann", "bob", "cleo"} {
		wg.Go(func() {
			for _, seat := range seats {
				seat.Order(agent)
			}
		})
	}
	wg.Wait()

	for _, seat := range seats {
		fmt.Println(seat.Order("nobody"))
	}
}
