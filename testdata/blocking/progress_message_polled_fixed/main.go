// Command progress_message_polled_fixed: the messages are closed.
package main

import (
	"fmt"
	"time"
)

func offer(messages chan<- string, closing bool) {
	if closing {
		close(messages)
	}
}

func main() {
	messages := make(chan string)
	go offer(messages, true)
	for {
		select {
		case m := <-messages:
			fmt.Println(m)
			return
		default:
			time.Sleep(time.Microsecond)
		}
	}
}
