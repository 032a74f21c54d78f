// Program context_background: The loop watches a context that can never be done.
package main

import (
	"context"
	"fmt"
)

func poll(ctx context.Context, values <-chan int, ended chan<- bool) {
	for {
		select { // want blocked
		case v := <-values:
			fmt.Println(v)
		case <-ctx.Done():
			ended <- true
			return
		}
	}
}

func main() {
	values, ended := make(chan int), make(chan bool)
	ctx, cancel := context.WithCancel(context.Background())
	fmt.Println(ctx.Err())
	go poll(context.Background(), values, ended)
	values <- 1
	cancel()
	<-ended // want blocked
}
