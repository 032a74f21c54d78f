// Command counter_looked_at counts requests atomically, and looks at the number as at any other variable.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

var requests uint64

func serve() (isSampled bool) {
	atomic.AddUint64(&requests, 1) // want data-race
	return requests%3 == 0         // want data-race
}

func main() {
	room := make(chan struct{}, 2)
	var all sync.WaitGroup
	for range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			room <- struct{}{}
			if serve() {
				fmt.Println("sampled")
			}
			<-room
		}()
	}
	all.Wait()
}
