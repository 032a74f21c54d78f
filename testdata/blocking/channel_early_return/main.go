// Program channel_early_return: The consumer returns at the first bad value, and the producer goes on.
package main

import (
	"errors"
	"fmt"
)

func produce(out chan<- int, done <-chan struct{}) {
	defer close(out)
	for i := range 3 {
		out <- i // want blocked
	}
}

func consume(in <-chan int) error {
	for v := range in {
		if v == 1 {
			return errors.New("bad value")
		}
	}
	return nil
}

func main() {
	values, done := make(chan int), make(chan struct{})
	go produce(values, done)
	fmt.Println(consume(values))
	close(done)
}
