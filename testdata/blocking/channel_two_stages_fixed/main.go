// Program channel_two_stages_fixed: the mended channel_two_stages.
package main

import (
	"fmt"
)

func first(out chan<- int) {
	for i := range 3 {
		out <- i
	}
	close(out)
}

func second(in <-chan int, out chan<- int) {
	out <- <-in
	for range in {
	}
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
