// Package meter counts what its rules let through.
package meter

import (
	"sync"
	"sync/atomic"
	"time"
)

// Rules say what is counted.
type Rules struct {
	Allowed, Blocked []string
	Loud             bool
}

// Meter counts. Its lock guards the rules that lie inside of it.
type Meter struct {
	Rules

	mu   sync.RWMutex
	seen int
}

var current atomic.Value // of *Meter

func init() { current.Store(&Meter{}) }

// Use says which one is used from now on.
func Use(rules *Rules) { current.Store(New(rules)) }

// Reset goes back to counting nothing.
func Reset() { current.Store(&Meter{}) }

// Default returns the meter that is used.
func Default() *Meter { return current.Load().(*Meter) }

// New makes another one.
func New(rules *Rules) *Meter {
	m := &Meter{}
	m.Rules = *rules
	m.Update(rules.Allowed, rules.Blocked)
	if m.Loud {
		go m.tick()
	}
	return m
}

// tick counts the time that passes.
func (m *Meter) tick() {
	for range time.Tick(time.Second) {
		m.Count("tick")
	}
}

// Update sets the rules.
func (m *Meter) Update(allowed, blocked []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.Allowed = allowed
	m.Blocked = blocked
}

// Allow changes one half of the rules.
func (m *Meter) Allow(allowed []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.Allowed = allowed
}

// Count counts a name if the rules let it through.
func (m *Meter) Count(name string) {
	if m.Loud || m.lets(name) {
		m.mu.Lock()
		m.seen++
		m.mu.Unlock()
	}
}

func (m *Meter) lets(name string) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return contains(m.Allowed, name) && !contains(m.Blocked, name)
}

func contains(all []string, name string) bool {
	for _, s := range all {
		if s == name {
			return true
		}
	}
	return false
}
