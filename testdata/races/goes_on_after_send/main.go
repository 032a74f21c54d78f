// Whoever sends on a channel with room does not wait for the receiver, and goes on.
package main

import "fmt"

func main() {
	v := 0
	c := make(chan int, 1)
	go func() {
		c <- 0
		v = 2 // want data-race
	}()
	v = 1          // want data-race
	fmt.Println(v) // want data-race
	<-c
}
