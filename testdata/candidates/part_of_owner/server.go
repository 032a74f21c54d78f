// Package part has structs that are parts of others, one of them also used by itself.
package part

import "sync"

type stats struct{ hits, total int }

type names struct{ first, last string }

// Server counts under its lock.
type Server struct {
	mu    sync.Mutex
	stats stats
	names names
}

// New returns a server.
func New() *Server { return &Server{} }

// Hit counts.
func (s *Server) Hit() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.hits++
	s.stats.total++
}

// Ratio returns the counts.
func (s *Server) Ratio() (hits, total int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stats.hits, s.stats.total
}

// Rename changes both names.
func (s *Server) Rename(first, last string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names.first = first
	s.names.last = last
}

// Registry has one more of the structs, behind a pointer and a lock of its own.
type Registry struct {
	mu    sync.Mutex
	names *names
}

// NewRegistry returns a registry.
func NewRegistry() *Registry { return &Registry{names: &names{}} }

// Rename changes both names.
func (r *Registry) Rename(first, last string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names.first = first
	r.names.last = last
}
