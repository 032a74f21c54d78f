// Package stated_make is a shelf that is safe for concurrent use. Rules ask it what they want to
// know: those of package rules are what clients use.
package stated_make

import "sync"

// Rule computes something from what is on a shelf.
type Rule interface{ Compute(s *Shelf) int }

// Shelf is how many boxes there are, and how much they weigh.
type Shelf struct {
	mu     sync.Mutex
	boxes  int
	weight int
}

// New returns an empty shelf.
func New() *Shelf { return &Shelf{} }

// Put puts a box there.
func (s *Shelf) Put(weight int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.boxes++
	s.weight += weight
}

// Ask returns what the rule computes.
func (s *Shelf) Ask(r Rule) int { return r.Compute(s) }

// Boxes returns how many there are.
func (s *Shelf) Boxes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.boxes
}

// Weight returns how much they weigh.
func (s *Shelf) Weight() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.weight
}

// Totals returns both.
func (s *Shelf) Totals() (boxes, weight int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	boxes = s.boxes
	weight = s.weight
	return boxes, weight
}
