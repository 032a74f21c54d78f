// Program channel_two_stages: The second stage of a pipeline ends early; the first one waits for it.
package main

import (
	"fmt"
)

func first(out chan<- int) {
	for i := range 3 {
		out <- i // want blocked
	}
	close(out)
}

func second(in <-chan int, out chan<- int) {
	out <- <-in
	close(out)
}

func main() {
	a, b := make(chan int), make(chan int)
	go first(a)
	go second(a, b)
	for v := range b {
		fmt.Println(v)
	}
}
