// Command counter_looked_at_fixed counts requests atomically, and looks at the number that this has returned.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

var requests uint64

func serve() (isSampled bool) {
	return atomic.AddUint64(&requests, 1)%3 == 0
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
