// Command channel_try_fixed lets goroutines update a status if nobody else does so.
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
		fmt.Println("busy")
		return
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
