// Command map_by_connection_fixed keeps the state of each connection in a map.
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

// Serve serves a new connection.
func (s *Server) Serve(name string) {
	c := &conn{name}
	s.mu.Lock()
	s.conns[c] = 0
	s.mu.Unlock()
	defer s.forget(c)

	s.mu.Lock()
	n := s.conns[c]
	s.mu.Unlock()
	fmt.Println(name, n)
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
	for _, name := range []string{"a", "b", "c"} {
		wg.Go(func() { s.Serve(name) })
	}
	wg.Wait()
}
