// Command sessions keeps the sessions of users: requests touch them, what was not used for long is closed by a sweeper, and
// an auditor is told through a channel.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// session is what is known of a user who is there.
type session struct {
	mu       sync.Mutex
	user     int
	used     int
	requests int
	cart     map[int]int
	total    int
	closed   bool
}

// add puts something into the cart.
func (s *session) add(item, price, now int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.requests++
	s.used = now
	s.cart[item]++
	s.total += price
	if len(s.cart) > 8 {
		clear(s.cart)
		s.total = 0
	}
	return true
}

// closeIdle closes the session if it was not used since.
func (s *session) closeIdle(since int) (requests int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.used >= since {
		return 0, false
	}
	s.closed = true
	return s.requests, true
}

// Manager has the sessions by user.
type Manager struct {
	mu       sync.RWMutex
	sessions map[int]*session
	opened   int
	closed   int
	clock    atomic.Int64
	events   chan int
}

// get returns the session of a user, and opens one if there is none.
func (m *Manager) get(user int) *session {
	m.mu.RLock()
	s := m.sessions[user]
	m.mu.RUnlock()
	if s != nil {
		return s
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.sessions[user]; s != nil {
		return s
	}
	s = &session{user: user, cart: map[int]int{}, used: int(m.clock.Load())}
	m.sessions[user] = s
	m.opened++
	return s
}

// Request carries out a request of a user.
func (m *Manager) Request(user, item int) {
	now := int(m.clock.Add(1))
	for !m.get(user).add(item, item%13, now) {
		m.drop(user)
	}
}

// drop forgets a session that is closed.
func (m *Manager) drop(user int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.sessions, user)
}

// sweep closes the sessions that were not used lately.
func (m *Manager) sweep(age int) {
	since := int(m.clock.Load()) - age
	m.mu.RLock()
	all := make([]*session, 0, len(m.sessions))
	for _, s := range m.sessions {
		all = append(all, s)
	}
	m.mu.RUnlock()
	for _, s := range all {
		if requests, ok := s.closeIdle(since); ok {
			m.mu.Lock()
			if m.sessions[s.user] == s {
				delete(m.sessions, s.user)
			}
			m.closed++
			m.mu.Unlock()
			m.events <- requests
		}
	}
}

func main() {
	m := &Manager{sessions: map[int]*session{}, events: make(chan int, 64)}
	var clients, auditor sync.WaitGroup
	total := 0
	auditor.Go(func() {
		for n := range m.events {
			total += n
		}
	})
	for g := range 4 {
		clients.Go(func() {
			seed := uint32(g + 1)
			for i := range 60_000 {
				seed = seed*1664525 + 1013904223
				m.Request(int(seed>>10)%2000, int(seed>>24))
				if i%2000 == 1999 {
					m.sweep(3000)
				}
			}
		})
	}
	clients.Wait()
	close(m.events)
	auditor.Wait()
	fmt.Println(total > 0, m.opened > m.closed)
}
