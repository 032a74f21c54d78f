// Package room lets visitors in while there is room. It looks first with the lock for
// reading, and looks again with the lock.
package room

import "sync"

// Room has so many seats, and room for some who stand.
type Room struct {
	mu       sync.RWMutex
	visitors []string
	seats    int
	standing int
}

// New returns an empty room.
func New(seats int) *Room { return &Room{seats: seats, standing: 10} }

// Enter lets a visitor in, if there is room.
func (r *Room) Enter(name string) bool {
	r.mu.RLock()
	full := len(r.visitors) >= r.seats
	r.mu.RUnlock()
	if full {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.visitors) >= r.seats {
		return false
	}
	r.visitors = append(r.visitors, name)
	return true
}
