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

// Start starts the server unless it is closed. It lets go of the lock between
// the check and the update: a Close in between leaves a closed server in state
// "running".
func (s *Server) Start() bool {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return false
	}

	s.mu.Lock() // Close may have run since
	s.state = "running"
	s.mu.Unlock()
	return true
}

// Close stops the server for good.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.state = "stopped"
}
