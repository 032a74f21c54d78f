// Command once_waits_for_other: what is done once waits for a worker that wants to have it done, too.
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
	s.once.Do(func() { // want deadlock
		<-s.ready // want deadlock
	})
}

func main() {
	s := &server{ready: make(chan bool)}
	var all sync.WaitGroup
	for range 2 {
		all.Add(1)
		go func() {
			defer all.Done()
			s.start()
			s.ready <- true
		}()
	}
	all.Wait()
	fmt.Println("started")
}
