// Program channel_timeout_leak_fixed: the mended channel_timeout_leak.
package main

import (
	"fmt"
	"time"
)

func ask() int { return 42 }

func main() {
	answer := make(chan int, 1)
	go func() {
		answer <- ask()
	}()
	select {
	case n := <-answer:
		fmt.Println(n)
	case <-time.After(time.Second):
		fmt.Println("too late")
	}
}
