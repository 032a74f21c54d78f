// Command manager releases memory on request. Releasers raise a flag, and a handler
// counts a request down for each flag. There is one lock, and who has to wait for
// the flag waits for a condition.
package main

import (
	"fmt"
	"sync"
)

// Manager counts requests and releases.
type Manager struct {
	mu       sync.Mutex
	changed  *sync.Cond
	requests int
	released int
	flag     bool // there is something to handle
}

// NewManager returns a manager of some requests.
func NewManager(requests int) *Manager {
	m := &Manager{requests: requests}
	m.changed = sync.NewCond(&m.mu)
	return m
}

// Release asks the handler for the memory of one request. It reports whether there
// was one.
func (m *Manager) Release() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.flag {
		m.changed.Wait()
	}
	if m.requests == 0 {
		return false
	}
	m.released++
	m.flag = true
	m.changed.Broadcast()
	return true
}

// Handle counts one request down, when a releaser says so. It reports whether there
// was one.
func (m *Manager) Handle() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for !m.flag && m.requests > 0 {
		m.changed.Wait()
	}
	if m.requests == 0 {
		return false
	}
	m.requests--
	m.flag = false
	m.changed.Broadcast()
	return true
}

// Released returns the number of releases, and of requests left.
func (m *Manager) Released() (released, left int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.released, m.requests
}

func main() {
	m := NewManager(20)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for m.Release() {
			}
		})
	}
	wg.Go(func() {
		for m.Handle() {
		}
	})
	wg.Wait()
	released, left := m.Released()
	fmt.Println(released, "of 20 requests released,", left, "left")
}
