// Program order_send_closed_fixed: the mended order_send_closed.
package main

import (
	"fmt"
)

func main() {
	events := make(chan int, 4)
	done := make(chan bool)
	go func() {
		events <- 1
		done <- true
	}()
	<-done
	close(events)
	fmt.Println(len(events))
}
