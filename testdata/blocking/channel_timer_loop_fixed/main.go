// Program channel_timer_loop_fixed: the mended channel_timer_loop.
package main

import (
	"fmt"
	"time"
)

func main() {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		ticker := time.NewTicker(time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				fmt.Println("tick")
			case <-stop:
				return
			}
		}
	}()
	close(stop)
	<-stopped
}
