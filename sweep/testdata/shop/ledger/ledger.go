// Package ledger counts what is sold.
package ledger

import "sync"

// A Ledger has entries, their number and their sum.
type Ledger struct {
	mu      sync.Mutex
	entries []int
	count   int
	sum     int
}

// Add adds an entry.
func (l *Ledger) Add(amount int) {
	l.mu.Lock()
	l.entries = append(l.entries, amount)
	l.count++
	l.mu.Unlock()
	l.mu.Lock()
	l.sum += amount
	l.mu.Unlock()
}

// Mean returns the mean of the entries.
func (l *Ledger) Mean() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.count == 0 {
		return 0
	}
	return l.sum / l.count
}
