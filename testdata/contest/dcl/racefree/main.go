// Command dcl sells the seats of a plane. The ticket of a seat is made when the
// first agent asks for it, with double-checked locking. Every access to the
// ticket holds a lock, so a race detector is silent. But an agent can find a
// ticket that is not filled in yet.
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
	sale sync.Mutex // held by the agent who makes the ticket

	mu     sync.Mutex
	ticket *Ticket
}

// Order returns the ticket of the seat in words. If it has none, the agent makes
// it.
func (s *Seat) Order(agent string) string {
	if !s.taken() {
		s.sale.Lock()
		defer s.sale.Unlock()
		if !s.taken() {
			s.take() // others can see the ticket from here on
			s.fillIn("EG 42", agent)
		}
	}
	return s.describe()
}

func (s *Seat) taken() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ticket != nil
}

func (s *Seat) take() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ticket = new(Ticket)
}

func (s *Seat) fillIn(flight, agent string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ticket.flight = flight
	s.ticket.agent = agent
}

func (s *Seat) describe() string {
	s.mu.Lock()
	defer s.mu.Unlock()
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
