// Command critical lets two goroutines through a critical section, one at a time.
package main

import (
	"fmt"
	"sync"
)

// Section is a critical section.
type Section struct {
	mu   sync.Mutex
	turn int
}

// Pass goes through the section.
func (s *Section) Pass(me, other int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn = me
	if s.turn == me {
		fmt.Println("goroutine", me, "is in the section")
	}
	s.turn = other
}

func main() {
	section := &Section{}
	var wg sync.WaitGroup
	wg.Go(func() { section.Pass(1, 2) })
	wg.Go(func() { section.Pass(2, 1) })
	wg.Wait()
}
