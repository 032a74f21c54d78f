// Program order_close_checked_fixed: the mended order_close_checked.
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
	s.closed = true
	s.mu.Unlock()
	if was {
		return
	}
	close(s.end)
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
