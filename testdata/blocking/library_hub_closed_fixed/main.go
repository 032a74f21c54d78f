// Package library_hub_closed_fixed: the mended library_hub_closed.
package library_hub_closed_fixed

import "sync"

// Member gets messages.
type Member struct{ inbox chan string }

// NewMember makes one.
func NewMember() *Member { return &Member{inbox: make(chan string, 1)} }

// Hub hands messages on.
type Hub struct {
	mu       sync.Mutex
	isClosed bool
	members  map[*Member]bool
	messages chan string
	exit     chan struct{}
	ended    chan struct{}
}

// NewHub makes one.
func NewHub() *Hub {
	h := &Hub{members: map[*Member]bool{}, messages: make(chan string), exit: make(chan struct{}),
		ended: make(chan struct{})}
	go h.run()
	return h
}

func (h *Hub) run() {
	for {
		select {
		case m := <-h.messages:
			h.mu.Lock()
			for member := range h.members {
				select {
				case member.inbox <- m:
				default:
				}
			}
			h.mu.Unlock()
		case <-h.exit:
			h.mu.Lock()
			h.isClosed = true
			h.mu.Unlock()
			close(h.ended)
			return
		}
	}
}

func (h *Hub) closed() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.isClosed
}

// Join adds a member.
func (h *Hub) Join(m *Member) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.members[m] = true
}

// Broadcast sends a message to all.
func (h *Hub) Broadcast(text string) bool {
	if h.closed() {
		return false
	}
	select {
	case h.messages <- text:
		return true
	case <-h.ended:
		return false
	}
}

// Close ends the hub.
func (h *Hub) Close() {
	if !h.closed() {
		select {
		case h.exit <- struct{}{}:
		case <-h.ended:
		}
	}
}
