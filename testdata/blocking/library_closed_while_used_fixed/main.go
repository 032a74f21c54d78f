// Package library_closed_while_used_fixed: Send looks for the connection, and uses it, in one critical section.
package library_closed_while_used_fixed

import (
	"errors"
	"sync"
)

type conn struct{ sent int }

// Link sends messages. It is safe for concurrent use.
type Link struct {
	mu sync.Mutex
	c  *conn
}

// New returns a link that is closed.
func New() *Link { return &Link{} }

// Open opens it.
func (l *Link) Open() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.c == nil {
		l.c = &conn{}
	}
}

// Close closes it.
func (l *Link) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.c = nil
}

// Send sends a message.
func (l *Link) Send() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.c == nil {
		return errors.New("closed")
	}
	l.c.sent++
	return nil
}
