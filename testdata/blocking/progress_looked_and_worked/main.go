// Command progress_looked_and_worked: a server looks under the lock whether it is to stop, and works then; while nobody
// tells it to, it polls for work that nobody brings any more.
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
	for !s.isStopped() { // want no-progress
		time.Sleep(time.Millisecond)
	}
	close(out)
}

func main() {
	s := &server{}
	out := make(chan int)
	go s.serve(out)
	fmt.Println(<-out, <-out)
	s.stop(false)
	fmt.Println(<-out) // want blocked
}
