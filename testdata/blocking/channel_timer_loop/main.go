// Program channel_timer_loop: A ticker's loop has no way to end, and the one who waits for it waits for ever.
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
			}
		}
	}()
	close(stop)
	<-stopped // want blocked
}
