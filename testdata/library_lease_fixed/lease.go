// Package lease lends numbers. What is lent is given back by a method of its own.
package lease

import "sync"

// Desk lends numbers.
type Desk struct {
	mu   sync.Mutex
	free []int
	out  int
}

// NewDesk returns a desk with two numbers.
func NewDesk() *Desk {
	return &Desk{free: []int{1, 2}}
}

// Lease is a number that is lent.
type Lease struct {
	desk   *Desk
	number int
}

// Take lends a number, nil if there is none.
func (d *Desk) Take() *Lease {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.free) == 0 {
		return nil
	}
	l := &Lease{d, d.free[0]}
	d.free = d.free[1:]
	d.out++
	return l
}

// Out returns how many numbers are lent.
func (d *Desk) Out() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.out
}

// Return gives the number back.
func (l *Lease) Return() {
	l.desk.mu.Lock()
	defer l.desk.mu.Unlock()
	l.desk.out--
	l.desk.free = append(l.desk.free, l.number)
}
