// Command closure_that_unlocks_fixed has sessions that are renewed and looked at. A
// method locks, and returns what unlocks.
package main

import "sync"

// Session is a token that is good for some time.
type Session struct {
	mu      sync.Mutex
	token   string
	expires int
}

// lock takes the lock and returns the function that lets go of it.
func (s *Session) lock() func() {
	s.mu.Lock()
	return func() {
		s.mu.Unlock()
	}
}

// Renew replaces the token.
func (s *Session) Renew(token string, expires int) {
	defer s.lock()()
	s.token = token
	s.expires = expires
}

// Info returns the token and for how long it is good.
func (s *Session) Info() (string, int) {
	defer s.lock()()
	token := s.token
	expires := s.expires
	return token, expires
}

func main() {
	session := &Session{token: "first", expires: 1}
	var wg sync.WaitGroup
	wg.Go(func() { session.Renew("second", 2) })
	wg.Go(func() { session.Renew("third", 3) })
	wg.Go(func() {
		if token, expires := session.Info(); token == "third" && expires == 0 {
			panic("expired")
		}
	})
	wg.Wait()
}
