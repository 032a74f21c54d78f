// Package main has room for one value, or for none.
//
// confirm: with "x"
package main

import "os"

func main() {
	room := 1
	if len(os.Args) > 1 {
		room = 0
	}
	values := make(chan int, room)
	values <- 1 // want blocked
	<-values
}
