// Program context_never_cancelled_fixed: the mended context_never_cancelled.
package main

import (
	"context"
	"fmt"
)

func watch(ctx context.Context, out chan<- int) {
	out <- 1
	<-ctx.Done()
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	out := make(chan int)
	go watch(ctx, out)
	fmt.Println(<-out)
	cancel()
}
