// Program channel_missing_send: On one path nothing is sent, and the receiver waits.
package main

import (
	"fmt"
)

func work(fail bool, out chan<- int) {
	if fail {
		return
	}
	out <- 1
}

func main() {
	out := make(chan int)
	go work(true, out)
	fmt.Println(<-out) // want blocked
}
