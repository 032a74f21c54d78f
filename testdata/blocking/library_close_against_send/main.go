// Package library_close_against_send: Publish may still send when Close has closed the channel.
package library_close_against_send

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
	b.mu.Unlock()
	if closed {
		return
	}
	select { // want order
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
