package main

import "sync"

// Metrics counts requests and knows the last one. Observe updates the two in
// two critical sections, so they need not belong together.
type Metrics struct {
	mu    sync.Mutex
	count int
	last  string
}

// Observe counts a request.
func (m *Metrics) Observe(path string) {
	m.mu.Lock()
	m.count++
	m.mu.Unlock()

	m.mu.Lock() // another request may have been counted since
	m.last = path
	m.mu.Unlock()
}

// Snapshot returns the number of requests and the path of the last one.
func (m *Metrics) Snapshot() (count int, last string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	count = m.count
	last = m.last
	return count, last
}
