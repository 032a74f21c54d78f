// Program order_closed_before_made: a server is stopped before the goroutine that starts it has made the channel which
// tells it to end: to close what is nil panics.
package main

import (
	"fmt"
	"sync"
)

type server struct {
	exit chan struct{}
	done sync.WaitGroup
}

func (s *server) start() {
	s.exit = make(chan struct{})
	go func() {
		defer s.done.Done()
		<-s.exit
	}()
}

func (s *server) stop() {
	close(s.exit) // want order
	s.done.Wait()
}

func main() {
	s := &server{}
	s.done.Add(1)
	go s.start()
	s.stop()
	fmt.Println("stopped")
}
