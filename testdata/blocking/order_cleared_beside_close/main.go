// Command order_cleared_beside_close: the logger is cleared by one goroutine while another one, told to write, uses
// it. What comes from the closed channel is looked at, and is no matter.
package main

import (
	"fmt"
	"sync"
)

type logger struct{ lines int }

type server struct {
	mu  sync.Mutex
	log *logger
}

func (s *server) stop() {
	s.mu.Lock()
	s.log = nil
	s.mu.Unlock()
}

func (s *server) write(told <-chan *logger, done *sync.WaitGroup) {
	defer done.Done()
	if other := <-told; other != nil {
		other.lines++
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log.lines++ // want order
}

func main() {
	s := &server{log: &logger{}}
	told := make(chan *logger)
	var done sync.WaitGroup
	done.Add(1)
	go s.write(told, &done)
	go s.stop()
	close(told)
	done.Wait()
	fmt.Println("written")
}
