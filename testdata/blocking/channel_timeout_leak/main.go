// Program channel_timeout_leak: Who asks gives up after a while, and the one who answers waits for ever.
package main

import (
	"fmt"
	"time"
)

func ask() int { return 42 }

func main() {
	answer := make(chan int)
	go func() {
		answer <- ask() // want blocked
	}()
	select {
	case n := <-answer:
		fmt.Println(n)
	case <-time.After(time.Second):
		fmt.Println("too late")
	}
}
