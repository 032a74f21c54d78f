// Program channel_ping_pong: Both sides receive first.
package main

import (
	"fmt"
)

func main() {
	ping, pong := make(chan int), make(chan int)
	go func() {
		n := <-ping // want deadlock
		pong <- n + 1
	}()
	n := <-pong // want deadlock
	ping <- 1
	fmt.Println(n)
}
