package main

import "sync"

// Settings are merged from many sources, and then used by all.
type Settings struct {
	mu          sync.Mutex
	name        string
	size        int
	depth, wide *int
	parent      *Settings
}

// Copy returns settings of their own.
func (s *Settings) Copy() *Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &Settings{name: s.name, size: s.size, depth: s.depth, wide: s.wide}
}

// Merge returns s with what o has.
func (s *Settings) Merge(o *Settings, base *Settings) *Settings {
	if s == nil {
		if o == nil {
			return base
		}
		return o.Copy()
	}
	if o == nil {
		return s.Copy()
	}
	r := s.Copy()
	if o.name != "" {
		r.name = o.name
		r.size = o.size
	}
	if o.depth != nil {
		r.depth = o.depth
	}
	if o.wide != nil {
		r.wide = o.wide
	}
	if base != nil && r.name == "" {
		r.name = base.name
		r.size = base.size
	}
	return r
}

// Rename sets the name, and how long it is.
func (s *Settings) Rename(name string) {
	s.mu.Lock()
	s.name = name
	s.mu.Unlock()
	s.mu.Lock()
	s.size = len(name)
	s.mu.Unlock()
}

// Sum returns how long the name is, twice.
func (s *Settings) Sum() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.name) + s.size
}
