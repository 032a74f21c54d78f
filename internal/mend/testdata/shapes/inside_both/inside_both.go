// Package inside_both has two functions that call methods that take the lock, and go on by what they returned.
package inside_both

import "sync"

// Settings is values by name.
type Settings struct {
	mu     sync.Mutex
	values map[string]int
}

// New makes settings.
func New() *Settings { return &Settings{values: map[string]int{}} }

func (s *Settings) get(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values[name]
}

func (s *Settings) set(name string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values = map[string]int{name: n}
}

// Wider makes it wider.
func (s *Settings) Wider() { s.set("width", s.get("width")+1) }

// Higher makes it higher.
func (s *Settings) Higher() { s.set("height", s.get("height")+1) }
