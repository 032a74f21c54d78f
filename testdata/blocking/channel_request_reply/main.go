// Program channel_request_reply: The server answers on the channel of the request, after the client has gone.
package main

import (
	"fmt"
	"time"
)

type request struct{ reply chan int }

func serve(requests <-chan request) {
	for r := range requests {
		r.reply <- 1 // want blocked
	}
}

func main() {
	requests := make(chan request)
	go serve(requests)
	r := request{make(chan int)}
	requests <- r
	select {
	case n := <-r.reply:
		fmt.Println(n)
	case <-time.After(time.Millisecond):
	}
	close(requests)
}
