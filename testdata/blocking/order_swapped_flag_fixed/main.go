// Program order_swapped_flag_fixed: the mended order_swapped_flag.
package main

import (
	"fmt"
	"sync/atomic"
)

func main() {
	var closed atomic.Bool
	stop := make(chan struct{})
	end := func() {
		if closed.CompareAndSwap(false, true) {
			close(stop)
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
