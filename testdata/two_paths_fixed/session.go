package main

import "fmt"

// session is what is known of a user. The lock of its Store guards it.
type session struct {
	user string
	hits int
	path string // the last one
}

// touch records a request.
func (s *session) touch(path string) {
	s.hits++
	s.path = path
}

// line returns the session as text.
func (s *session) line() string {
	hits := s.hits
	path := s.path
	return fmt.Sprintf("%s: %d requests, %q", s.user, hits, path)
}
