// Command map_by_connection keeps the state of connections in a map. Several goroutines serve one
// connection.
package main

import (
	"fmt"
	"sync"
)

type conn struct{ name string }

// Server is the connections that are open.
type Server struct {
	mu    sync.Mutex
	conns map[*conn]int
}

// Serve serves a connection.
func (s *Server) Serve(c *conn) {
	s.mu.Lock()
	s.conns[c] = 0
	s.mu.Unlock()
	defer s.forget(c)

	s.mu.Lock()
	n := s.conns[c]
	s.mu.Unlock()
	fmt.Println(c.name, n)
	s.mu.Lock()
	s.conns[c] = n + 1
	s.mu.Unlock()
}

func (s *Server) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}

func main() {
	s := &Server{conns: map[*conn]int{}}
	var wg sync.WaitGroup
	c := &conn{"a"}
	for range 3 {
		wg.Go(func() { s.Serve(c) })
	}
	wg.Wait()
}
