// Program read_write_read_rlocker_fixed: the mended read_write_read_rlocker.
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
	l.Lock()
	defer l.Unlock()
	f()
}

func (s *state) Get() int {
	n := 0
	with(s.mu.RLocker(), func() { n = s.n })
	return n
}

func main() {
	s := &state{}
	done := make(chan bool)
	go func() {
		s.mu.Lock()
		s.n = 1
		s.mu.Unlock()
		close(done)
	}()
	fmt.Println(s.Get())
	<-done
}
