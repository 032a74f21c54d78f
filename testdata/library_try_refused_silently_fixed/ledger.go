// Package ledger adds up for several goroutines.
package ledger

import "sync"

// Ledger has a sum, and counts the calls that have begun and those that have ended.
type Ledger struct {
	mu           sync.Mutex
	begun, ended int64
	sum          int64
}

// New returns an empty ledger.
func New() *Ledger { return &Ledger{} }

// Add adds to the sum.
func (l *Ledger) Add(n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begun++
	l.sum += n
	l.ended++
}
