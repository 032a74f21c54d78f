// Program channel_request_reply_fixed: the mended channel_request_reply.
package main

import (
	"fmt"
	"time"
)

type request struct{ reply chan int }

func serve(requests <-chan request) {
	for r := range requests {
		r.reply <- 1
	}
}

func main() {
	requests := make(chan request)
	go serve(requests)
	r := request{make(chan int, 1)}
	requests <- r
	select {
	case n := <-r.reply:
		fmt.Println(n)
	case <-time.After(time.Millisecond):
	}
	close(requests)
}
