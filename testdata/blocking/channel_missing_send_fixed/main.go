// Program channel_missing_send_fixed: the mended channel_missing_send.
package main

import (
	"fmt"
)

func work(fail bool, out chan<- int) {
	if fail {
		out <- -1
		return
	}
	out <- 1
}

func main() {
	out := make(chan int)
	go work(true, out)
	fmt.Println(<-out)
}
