// Command critical lets two goroutines take turns in a critical section, without
// a lock: each one takes the turn, enters if it still has it, and hands it over
// when it leaves. The other one can take the turn at any time, so both get in, or
// one waits in vain.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

// Section is a critical section for two.
type Section struct {
	turn int
}

// Pass goes through the section. It reports whether it got in.
func (s *Section) Pass(me, other int) bool {
	s.turn = me
	for tries := 0; s.turn != me; tries++ {
		if tries == 1000 {
			return false
		}
		runtime.Gosched()
	}
	fmt.Println("goroutine", me, "is in the section")
	s.turn = other
	return true
}

func main() {
	section := &Section{}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		section.Pass(1, 2)
	}()
	go func() {
		defer wg.Done()
		section.Pass(2, 1)
	}()
	wg.Wait()
}
