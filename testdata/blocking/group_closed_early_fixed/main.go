// Program group_closed_early_fixed: The goroutine is told to end. Where there is no channel yet, to close it panics: nobody
// waits for ever after that.
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
	close(s.exit)
	s.done.Wait()
}

func main() {
	s := &server{}
	s.done.Add(1)
	go s.start()
	s.stop()
	fmt.Println("stopped")
}
