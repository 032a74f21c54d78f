// Program order_swapped_flag: Two goroutines see that the channel is open, before one of them has noted that it is not.
package main

import (
	"fmt"
	"sync/atomic"
)

func main() {
	var closed atomic.Bool
	stop := make(chan struct{})
	end := func() {
		if !closed.Load() {
			closed.Store(true)
			close(stop) // want order
		}
	}
	done := make(chan bool)
	go func() {
		end()
		done <- true
	}()
	end()
	<-done
	fmt.Println(closed.Load())
}
