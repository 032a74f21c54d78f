// Package library_closed_while_used: Close takes the connection away, and a Send that has looked for it before uses what
// is no longer there. That nobody sends before Open is the caller's business.
package library_closed_while_used

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
	isOpen := l.c != nil
	l.mu.Unlock()
	if !isOpen {
		return errors.New("closed")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.c.sent++ // want order
	return nil
}

// Sent returns how many messages were sent since Open.
func (l *Link) Sent() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.c.sent
}
