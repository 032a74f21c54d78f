// Command once_waits_for_other_fixed: each says that it is ready before it wants to start.
package main

import (
	"fmt"
	"sync"
)

type server struct {
	once  sync.Once
	ready chan bool
}

func (s *server) start() {
	s.once.Do(func() {
		<-s.ready
	})
}

func main() {
	s := &server{ready: make(chan bool, 3)}
	var all sync.WaitGroup
	for range 2 {
		all.Add(1)
		go func() {
			defer all.Done()
			s.ready <- true
			s.start()
		}()
	}
	all.Wait()
	fmt.Println("started")
}
