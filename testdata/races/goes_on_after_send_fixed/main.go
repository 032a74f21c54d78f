// The channel has no room: who sends goes on when the value is received.
package main

import "fmt"

func main() {
	v := 0
	c := make(chan int)
	go func() {
		c <- 0
		v = 2
	}()
	v = 1
	fmt.Println(v)
	<-c
}
