// Package library_close_twice_fixed: the mended library_close_twice.
package library_close_twice_fixed

import (
	"sync"
)

// Conn is a connection.
type Conn struct {
	once   sync.Once
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
	c.once.Do(func() { close(c.closed) })
}
