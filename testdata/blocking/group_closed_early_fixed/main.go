// Program group_closed_early_fixed: The goroutine is told to end, by a channel that is there from the beginning.
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
	go func() {
		defer s.done.Done()
		<-s.exit
	}()
}

func (s *server) stop() {
	close(s.exit)
	s.done.Wait()
}

func main() {
	s := &server{exit: make(chan struct{})}
	s.done.Add(1)
	go s.start()
	s.stop()
	fmt.Println("stopped")
}
