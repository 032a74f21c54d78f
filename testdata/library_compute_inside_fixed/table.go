// Package table computes values that are missing.
package table

import "sync"

// Table keeps values.
type Table struct {
	mu     sync.Mutex
	values map[string]int
}

// New returns an empty table.
func New() *Table { return &Table{values: map[string]int{}} }

// Compute returns the value of a key: what compute returns, the first time. What somebody else
// has computed while the lock was not held stays.
func (t *Table) Compute(key string, compute func() int) int {
	t.mu.Lock()
	v, ok := t.values[key]
	t.mu.Unlock()
	if ok {
		return v
	}
	v = compute()
	t.mu.Lock()
	defer t.mu.Unlock()
	if old, ok := t.values[key]; ok {
		return old
	}
	t.values[key] = v
	return v
}
