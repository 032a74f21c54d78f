// Command progress_swap_left: a spin lock of one word, which a worker that fails leaves as it has taken it.
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
	for !s.busy.CompareAndSwap(0, 1) { // want no-progress
		runtime.Gosched()
	}
	if n < 0 {
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
