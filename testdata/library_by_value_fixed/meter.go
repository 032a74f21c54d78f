// Package meter is a library whose constructor returns a value, not a pointer to one.
package meter

import "sync"

// Meter adds up what it is told.
type Meter struct {
	mu    sync.Mutex
	sum   int
	count int
}

// New returns a meter that begins at a number.
func New(start int) Meter { return Meter{sum: start} }

// Add adds a number.
func (m *Meter) Add(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sum += n
	m.count++
}

// Mean returns the sum and the count.
func (m *Meter) Mean() (sum, count int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sum, m.count
}
