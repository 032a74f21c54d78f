// Command progress_message_polled: who could send a message ends without doing so, and without closing the channel, and
// the reader looks for one for ever.
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
	go offer(messages, false)
	for {
		select { // want no-progress
		case m := <-messages:
			fmt.Println(m)
			return
		default:
			time.Sleep(time.Microsecond)
		}
	}
}
