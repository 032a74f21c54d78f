// Command progress_swap_left_fixed: it is released then, too.
package main

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
)

type store struct {
	busy atomic.Int32
	n    int
}

func (s *store) add(n int) error {
	for !s.busy.CompareAndSwap(0, 1) {
		runtime.Gosched()
	}
	if n < 0 {
		s.busy.Store(0)
		return errors.New("negative")
	}
	s.n += n
	s.busy.Store(0)
	return nil
}

func main() {
	s := &store{}
	done := make(chan error)
	go func() { done <- s.add(-1) }()
	fmt.Println(<-done)
	fmt.Println(s.add(1), s.n)
}
