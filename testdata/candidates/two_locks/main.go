// Command two_locks is a server with one lock for its connections and one for what it
// counts.
package main

import "sync"

// Server has connections, and numbers for its operator.
type Server struct {
	name string

	mu    sync.Mutex
	conns map[int]string
	next  int

	statsMu sync.Mutex
	sent    int
	failed  int
}

func (s *Server) open(peer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	s.conns[s.next] = peer
}

func (s *Server) close(id int) {
	s.mu.Lock()
	delete(s.conns, id)
	s.mu.Unlock()
}

func (s *Server) send(ok bool) {
	s.statsMu.Lock()
	defer s.statsMu.Unlock()
	if ok {
		s.sent++
	} else {
		s.failed++
	}
}

func (s *Server) stats() (int, int) {
	s.statsMu.Lock()
	sent := s.sent
	s.statsMu.Unlock()
	return sent, s.failed // without the lock
}

func main() {
	s := &Server{name: "main", conns: map[int]string{}}
	var wg sync.WaitGroup
	for _, peer := range []string{"a", "b"} {
		wg.Go(func() {
			s.open(peer)
			s.send(peer != s.name)
		})
	}
	s.close(1)
	println(s.stats())
	wg.Wait()
}
