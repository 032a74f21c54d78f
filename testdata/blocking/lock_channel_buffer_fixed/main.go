// Program lock_channel_buffer_fixed: the mended lock_channel_buffer.
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
	s.buf <- n
}

func (s *sink) Drain() int {
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
