// Command filled_by_asn1 decodes a ticket that comes as ASN.1, and counts tickets. What
// decodes it fills the struct by reflection, with no lock held.
package main

import (
	"encoding/asn1"
	"fmt"
	"sync"
)

// Ticket is what was sent.
type Ticket struct {
	Serial int
	Owner  string
}

// Desk has the ticket at hand.
type Desk struct {
	mu     sync.Mutex
	ticket Ticket
	count  int
}

// Call decodes the next ticket.
func (d *Desk) Call(text []byte) error {
	if _, err := asn1.Unmarshal(text, &d.ticket); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count++
	return nil
}

// Shown returns the ticket at hand and how many there were.
func (d *Desk) Shown() (int, int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	serial := d.ticket.Serial
	return serial, d.count
}

func main() {
	text, err := asn1.Marshal(Ticket{7, "ann"})
	desk := &Desk{}
	done := make(chan error)
	go func() { done <- desk.Call(text) }()
	fmt.Println(desk.Shown())
	fmt.Println(err, <-done)
}
