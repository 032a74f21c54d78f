// Command progress_looked_and_worked_fixed: it is told to stop.
package main

import (
	"fmt"
	"sync"
	"time"
)

type server struct {
	mu      sync.Mutex
	stopped bool
	jobs    int
}

func (s *server) stop(now bool) {
	s.mu.Lock()
	s.stopped = now
	s.mu.Unlock()
}

func (s *server) isStopped() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stopped
}

func (s *server) serve(out chan<- int) {
	for n := range 2 {
		out <- n
	}
	for !s.isStopped() {
		time.Sleep(time.Millisecond)
	}
	close(out)
}

func main() {
	s := &server{}
	out := make(chan int)
	go s.serve(out)
	fmt.Println(<-out, <-out)
	s.stop(true)
	fmt.Println(<-out)
}
