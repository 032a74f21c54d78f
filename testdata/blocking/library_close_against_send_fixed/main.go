// Package library_close_against_send_fixed: the mended library_close_against_send.
package library_close_against_send_fixed

import (
	"sync"
)

// Bus hands events on.
type Bus struct {
	mu     sync.Mutex
	closed bool
	events chan int
}

// NewBus makes one.
func NewBus() *Bus { return &Bus{events: make(chan int, 1)} }

// Publish sends an event, or drops it.
func (b *Bus) Publish(e int) {
	b.mu.Lock()
	closed := b.closed
	defer b.mu.Unlock()
	if closed {
		return
	}
	select {
	case b.events <- e:
	default:
	}
}

// Close ends it.
func (b *Bus) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.closed = true
		close(b.events)
	}
}
