// Program context_never_cancelled: The goroutine waits for its context, which nobody cancels.
package main

import (
	"context"
	"fmt"
)

func watch(ctx context.Context, out chan<- int) {
	out <- 1
	<-ctx.Done() // want blocked
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	out := make(chan int)
	go watch(ctx, out)
	fmt.Println(<-out)
	if ctx.Err() != nil {
		cancel()
	}
}
