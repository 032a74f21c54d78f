// Program order_send_closed: The channel is closed while another goroutine still sends.
package main

import (
	"fmt"
)

func main() {
	events := make(chan int, 4)
	done := make(chan bool)
	go func() {
		events <- 1 // want order
		done <- true
	}()
	close(events)
	<-done
	fmt.Println(len(events))
}
