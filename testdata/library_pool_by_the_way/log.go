// Package log marks names, with buffers from a pool.
package log

import "sync"

var buffers = &sync.Pool{New: func() any { return new([]byte) }}

// Log remembers whether something was marked.
type Log struct {
	mu     sync.Mutex
	marked bool
}

// New returns a log in which nothing is marked.
func New() *Log { return &Log{} }

// Mark marks, unless it is done already. To do it twice is to do it once. How many buffers there are afterwards in the
// pool says how many were used at once, and that is nobody's business.
func (l *Log) Mark(name string) {
	b := buffers.Get().(*[]byte)
	*b = append((*b)[:0], name...)
	l.mu.Lock()
	is := l.marked
	l.mu.Unlock()
	if !is && len(*b) > 0 {
		l.mu.Lock()
		l.marked = true
		l.mu.Unlock()
	}
	buffers.Put(b)
}
