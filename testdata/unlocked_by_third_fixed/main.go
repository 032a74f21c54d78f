// Command unlocked_by_third_fixed has helpers that do the next task of a list each: to
// change a state. Each of them unlocks it again.
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
	tasks := make(chan string, 3)
	tasks <- "change"
	tasks <- "report"
	tasks <- "change"
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			if <-tasks == "report" {
				fmt.Println("half way")
				return
			}
			mu.Lock()
			s.Set("helper", i)
			mu.Unlock()
		})
	}
	wg.Wait()
	fmt.Println(s.name, s.value)
}
