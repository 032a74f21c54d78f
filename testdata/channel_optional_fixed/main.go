// Command channel_optional_fixed takes a channel as a lock, and gives it back.
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
			lock <- struct{}{}
			l.Set(i, 10)
			<-lock
		})
	}
	wg.Wait()
	fmt.Println("done")
}
