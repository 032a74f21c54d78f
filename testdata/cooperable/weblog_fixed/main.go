// Command weblog is a server whose workers log each request, to the log that they have looked at.
package main

import (
	"fmt"
	"sync"
)

const (
	workers  = 3
	requests = 300
)

type record struct {
	mu    sync.Mutex
	lines int
}

func (r *record) write() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines++
}

type server struct {
	mu     sync.Mutex
	log    *record
	served int
	lost   int
	wg     sync.WaitGroup
}

func (s *server) handle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.served++
	if s.log == nil {
		s.lost++
		return
	}
	s.log.write()
}

func (s *server) work() {
	defer s.wg.Done()
	for range requests {
		//empire:yield
		s.handle()
	}
}

func (s *server) rotate() {
	defer s.wg.Done()
	for i := range requests {
		//empire:yield
		s.mu.Lock()
		s.log = nil
		if i%2 == 0 {
			s.log = &record{}
		}
		s.mu.Unlock()
	}
}

func main() {
	s := &server{log: &record{}}
	s.wg.Add(workers + 1)
	for range workers {
		//empire:yield
		go s.work()
	}
	//empire:yield
	go s.rotate()
	s.wg.Wait()
	fmt.Println("requests are served")
}
