// Command dcl sells the seats of a plane. The ticket of a seat is made when the
// first agent asks for it, with double-checked locking: the first look is without
// the lock, so it can find a ticket that is not filled in yet.
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
	mu     sync.Mutex
	ticket *Ticket
}

// Order returns the ticket of the seat in words. If it has none, the agent makes
// it.
func (s *Seat) Order(agent string) string {
	if s.ticket == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.ticket == nil {
			s.ticket = new(Ticket) // others can see it from here on
			s.ticket.flight = "EG 42"
			s.ticket.agent = agent
		}
	}
	return s.ticket.flight + ", sold by " + s.ticket.agent
}

func main() {
	seats := make([]*Seat, 3)
	for i := range seats {
		seats[i] = &Seat{}
	}

	var wg sync.WaitGroup
	for _, agent := range []string{"ann", "bob", "cleo"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, seat := range seats {
				fmt.Println(seat.Order(agent))
			}
		}()
	}
	wg.Wait()
}
