// Package flight makes one call after the other.
package flight

import "sync"

// Group counts the calls.
type Group struct {
	mu   sync.Mutex
	made map[string]int
}

// New returns a group.
func New() *Group { return &Group{made: map[string]int{}} }

// Do returns what f returns.
func (g *Group) Do(key string, f func() int) (value int, shared bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.made[key]++
	return f(), false
}
