// Command context_over_is_error_fixed: the error of a context that is over is not nil.
package main

import (
	"context"
	"fmt"
	"time"
)

func next(ctx, other context.Context, from <-chan int) (int, error) {
	select {
	case <-ctx.Done():
		return 0, other.Err()
	case n := <-from:
		return n, nil
	}
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	source := make(chan int)
	go func() {
		source <- 1
	}()
	if _, err := next(ctx, ctx, source); err != nil {
		fmt.Println(err)
		<-source
	}
}
