// Program context_background_fixed: the mended context_background.
package main

import (
	"context"
	"fmt"
)

func poll(ctx context.Context, values <-chan int, ended chan<- bool) {
	for {
		select {
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
	go poll(ctx, values, ended)
	values <- 1
	cancel()
	<-ended
}
