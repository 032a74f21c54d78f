// Program channel_select_break_fixed: the mended channel_select_break.
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
loop:
	for {
		select {
		case v := <-values:
			fmt.Println(v)
		case <-done:
			break loop
		}
	}
}
