// Command logger_writer_fixed has a server that logs to a writer of its own, by one logger.
package main

import (
	"fmt"
	"log"
	"sync"
)

// Capture is lines and their size.
type Capture struct {
	lines []string
	bytes int
}

// Write keeps a line.
func (c *Capture) Write(p []byte) (int, error) {
	c.lines = append(c.lines, string(p))
	c.bytes += len(p)
	return len(p), nil
}

// Server is a server.
type Server struct {
	log *log.Logger
	out *Capture
}

// NewServer returns a server.
func NewServer() *Server {
	out := &Capture{}
	return &Server{log: log.New(out, "", 0), out: out}
}

func (s *Server) handle(i int) {
	s.log.Printf("begin %d", i)
	defer s.log.Print("end")
}

func main() {
	s := NewServer()
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { s.handle(i) })
	}
	wg.Wait()
	fmt.Println(s.out.lines, s.out.bytes)
}
