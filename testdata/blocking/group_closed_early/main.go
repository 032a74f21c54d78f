// Program group_closed_early: The goroutine that is to end is told so by nobody: another channel is closed.
package main

import (
	"fmt"
	"sync"
)

type server struct {
	exit, other chan struct{}
	done        sync.WaitGroup
}

func (s *server) start() {
	s.exit, s.other = make(chan struct{}), make(chan struct{})
	s.done.Add(1)
	go func() {
		defer s.done.Done()
		<-s.exit // want blocked
	}()
}

func (s *server) stop() {
	close(s.other)
	s.done.Wait()
}

func main() {
	s := &server{}
	s.start()
	s.stop()
	fmt.Println("stopped")
}
