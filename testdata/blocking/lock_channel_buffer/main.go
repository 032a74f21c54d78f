// Program lock_channel_buffer: The buffer is full under the lock that the reader of the buffer takes first.
package main

import (
	"fmt"
	"sync"
)

type sink struct {
	mu  sync.Mutex
	buf chan int
}

func (s *sink) Put(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buf <- n // want deadlock
}

func (s *sink) Drain() int {
	s.mu.Lock() // want deadlock
	defer s.mu.Unlock()
	return <-s.buf
}

func main() {
	s := &sink{buf: make(chan int, 1)}
	done := make(chan bool)
	s.Put(1)
	go func() {
		s.Put(2)
		done <- true
	}()
	s.Drain()
	<-done
	fmt.Println(s.Drain())
}
