// Command logger_writer has a server that logs to a writer of its own: by two loggers, each with a lock
// of its own.
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
	bad *log.Logger
	out *Capture
}

// NewServer returns a server.
func NewServer() *Server {
	out := &Capture{}
	return &Server{log: log.New(out, "", 0), bad: log.New(out, "bad: ", 0), out: out}
}

func (s *Server) handle(i int) {
	s.log.Printf("begin %d", i)
	s.bad.Print("end")
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
