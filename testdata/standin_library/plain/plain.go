// Package plain has pairs for anybody.
package plain

import "sync"

// Wrong is set in two steps. The owner in package library holds a lock of its own around them; others need not.
type Wrong struct {
	mu   sync.Mutex
	a, b int
}

// NewWrong returns one.
func NewWrong() *Wrong { return new(Wrong) }

// Set sets both numbers.
func (w *Wrong) Set(v int) {
	w.mu.Lock()
	w.a = v
	w.mu.Unlock()
	w.mu.Lock()
	w.b = v
	w.mu.Unlock()
}

// IsSame tells whether the numbers are the same.
func (w *Wrong) IsSame() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.a == w.b
}
