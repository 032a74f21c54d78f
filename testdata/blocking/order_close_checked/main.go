// Program order_close_checked: Whether it is closed is looked at first, and then it is closed: others come in between.
package main

import (
	"fmt"
	"sync"
)

type stream struct {
	mu     sync.Mutex
	closed bool
	end    chan struct{}
}

func (s *stream) Close() {
	s.mu.Lock()
	was := s.closed
	s.mu.Unlock()
	if was {
		return
	}
	close(s.end) // want order
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
}

func main() {
	s := &stream{end: make(chan struct{})}
	done := make(chan bool)
	go func() {
		s.Close()
		done <- true
	}()
	s.Close()
	<-done
	fmt.Println("ended")
}
