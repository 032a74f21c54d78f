// Package library_close_twice: Close closes the channel each time that it is called.
package library_close_twice

import (
	"sync"
)

// Conn is a connection.
type Conn struct {
	mu     sync.Mutex
	sent   int
	closed chan struct{}
}

// Dial makes a connection.
func Dial() *Conn { return &Conn{closed: make(chan struct{})} }

// Send sends.
func (c *Conn) Send() bool {
	select {
	case <-c.closed:
		return false
	default:
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent++
	return true
}

// Close ends it.
func (c *Conn) Close() {
	close(c.closed) // want order
}
