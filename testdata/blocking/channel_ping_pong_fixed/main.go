// Program channel_ping_pong_fixed: the mended channel_ping_pong.
package main

import (
	"fmt"
)

func main() {
	ping, pong := make(chan int), make(chan int)
	go func() {
		n := <-ping
		pong <- n + 1
	}()
	ping <- 1
	n := <-pong
	fmt.Println(n)
}
