// Program order_closed_before_made_fixed: the channel is made before anybody is started.
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
