// Command channel_optional takes a channel as a lock if it is free, and gives it back if it
// has something to give. Whoever finds it taken goes on without it.
package main

import (
	"fmt"
	"sync"
)

// Level is a value and its limit.
type Level struct {
	value int
	limit int
}

// Set changes both.
func (l *Level) Set(value, limit int) {
	l.value = value
	l.limit = limit
}

func main() {
	l := &Level{}
	lock := make(chan struct{}, 1)
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			select {
			case lock <- struct{}{}:
			default: // goes on
			}
			l.Set(i, 10)
			select {
			case <-lock:
			default:
			}
		})
	}
	wg.Wait()
	fmt.Println("done")
}
