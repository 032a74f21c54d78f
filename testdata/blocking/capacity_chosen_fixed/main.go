// Package main has room for one value, or for two.
package main

import "os"

func main() {
	room := 1
	if len(os.Args) > 1 {
		room = 2
	}
	values := make(chan int, room)
	values <- 1
	<-values
}
