// Command unlocked_by_third has helpers that do the next task of a list each: to change a
// state, or to unlock it for the next change. It takes three of them to get two into the
// state at the same time: one says too early that it is locked, another one unlocks it.
package main

import (
	"fmt"
	"sync"
)

// State is a name and a value. It is not safe for concurrent use.
type State struct {
	name  string
	value int
}

// Set changes both.
func (s *State) Set(name string, value int) {
	s.name = name
	s.value = value
}

func main() {
	s := &State{}
	var mu sync.Mutex
	locked := make(chan bool, 2)
	tasks := make(chan string, 3)
	tasks <- "change"
	tasks <- "unlock"
	tasks <- "change"
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			if <-tasks == "unlock" {
				<-locked
				mu.Unlock()
				return
			}
			mu.Lock()
			locked <- true // too early
			s.Set("helper", i)
		})
	}
	wg.Wait()
	fmt.Println(s.name, s.value)
}
