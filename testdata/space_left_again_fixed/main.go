// Package quota gives out space. It asks a function that takes the lock how much is left,
// then takes the lock itself and looks once more.
package quota

import "sync"

// Quota is space of which some is used.
type Quota struct {
	mu      sync.RWMutex
	used    int
	users   []string
	limit   int
	reserve int
}

// New returns a quota of which nothing is used.
func New(limit int) *Quota { return &Quota{limit: limit, reserve: limit / 10} }

// Left returns how much is left.
func (q *Quota) Left() int {
	q.mu.RLock()
	defer q.mu.RUnlock()
	return q.limit - q.used
}

// Take gives a user some space, if so much is left.
func (q *Quota) Take(user string, size int) bool {
	if q.Left() < size {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.limit-q.used < size {
		return false
	}
	q.used += size
	q.users = append(q.users, user)
	return true
}
