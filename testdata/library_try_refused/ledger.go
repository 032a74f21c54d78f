// Package ledger adds up for several goroutines, without a lock.
package ledger

import "sync/atomic"

// Ledger has a sum, and counts the calls that have begun and those that have ended.
type Ledger struct {
	begun, ended atomic.Int64
	sum          atomic.Int64
}

// New returns an empty ledger.
func New() *Ledger { return &Ledger{} }

// TryAdd adds to the sum, unless another call is faster.
func (l *Ledger) TryAdd(n int64) bool {
	ended := l.ended.Load()
	if !l.begun.CompareAndSwap(ended, ended+1) {
		return false
	}
	l.sum.Add(n)
	l.ended.Add(1)
	return true
}
