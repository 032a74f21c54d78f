// Command order_cleared_beside_close_fixed: it is looked whether there is one still.
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
	if s.log != nil {
		s.log.lines++
	}
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
