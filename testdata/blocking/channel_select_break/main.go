// Program channel_select_break: break leaves the select, not the loop: after the end it waits again.
package main

import (
	"fmt"
)

func main() {
	values, done := make(chan int), make(chan bool)
	go func() {
		values <- 1
		done <- true
	}()
	for {
		select { // want blocked
		case v := <-values:
			fmt.Println(v)
		case <-done:
			break
		}
	}
}
