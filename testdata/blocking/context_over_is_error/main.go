// Command context_over_is_error: a source that is told to end is asked why, and the error of another context is looked at,
// that is not over: the reader takes it for the end of the source, and nobody takes what is sent.
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
		source <- 1 // want blocked
	}()
	if _, err := next(ctx, context.Background(), source); err != nil {
		fmt.Println(err)
		<-source
	}
}
