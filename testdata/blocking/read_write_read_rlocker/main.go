// Program read_write_read_rlocker: The lock for readers is used as a Locker, and as itself.
package main

import (
	"fmt"
	"sync"
)

type state struct {
	mu sync.RWMutex
	n  int
}

func with(l sync.Locker, f func()) {
	l.Lock() // want deadlock
	defer l.Unlock()
	f()
}

func (s *state) Get() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := 0
	with(s.mu.RLocker(), func() { n = s.n })
	return n
}

func main() {
	s := &state{}
	done := make(chan bool)
	go func() {
		s.mu.Lock() // want deadlock
		s.n = 1
		s.mu.Unlock()
		close(done)
	}()
	fmt.Println(s.Get())
	<-done
}
