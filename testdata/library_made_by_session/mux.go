// Package mux hands out streams of bytes over one connection.
package mux

import "sync"

// Mux is a connection with many streams.
type Mux struct {
	mu      sync.Mutex
	streams []*Stream
}

// New returns a connection without streams.
func New() *Mux { return &Mux{} }

// Open returns a new stream. Credit comes in for it from the other side.
func (m *Mux) Open() *Stream {
	s := newStream(64)
	m.mu.Lock()
	m.streams = append(m.streams, s)
	m.mu.Unlock()
	go s.fill()
	return s
}

// Stream is one of the streams: how much may still be sent, and how much was.
type Stream struct {
	mu     sync.Mutex
	credit int
	sent   int
	window int
}

func newStream(window int) *Stream { return &Stream{credit: window, window: window} }

// fill gives half a window more, in return for what the other side has read.
func (s *Stream) fill() {
	s.mu.Lock()
	credit := s.credit
	s.mu.Unlock()
	s.mu.Lock()
	s.credit = credit + s.window/2
	s.mu.Unlock()
}

// Send takes n bytes of credit.
func (s *Stream) Send(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.credit < n {
		return false
	}
	s.credit -= n
	s.sent += n
	return true
}
