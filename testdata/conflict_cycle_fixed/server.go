package main

import "sync"

// Server can be started until it is closed.
type Server struct {
	mu     sync.Mutex
	closed bool
	state  string
}

// NewServer returns a server that is ready to start.
func NewServer() *Server {
	return &Server{state: "ready"}
}

// Start starts the server unless it is closed. It checks and updates in one
// critical section.
func (s *Server) Start() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.state = "running"
	return true
}

// Close stops the server for good.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.state = "stopped"
}
