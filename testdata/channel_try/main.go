// Command channel_try lets goroutines update a status if nobody else does so. Who does
// not get the channel that serves as lock goes on without it.
package main

import (
	"fmt"
	"sync"
)

// Status is a state and since when it lasts.
type Status struct {
	busy  chan bool
	state string
	since int
}

// Update sets the status if nobody else does.
func (s *Status) Update(state string, since int) {
	select {
	case s.busy <- true:
		defer func() { <-s.busy }()
	default:
		fmt.Println("busy") // and should return
	}
	s.state = state
	s.since = since
}

func main() {
	s := &Status{busy: make(chan bool, 1)}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { s.Update("up", i) })
	}
	wg.Wait()
}
