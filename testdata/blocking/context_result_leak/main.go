// Program context_result_leak: After the context is done nobody receives the result.
package main

import (
	"context"
	"fmt"
	"time"
)

func fetch(ctx context.Context) int {
	result := make(chan int)
	go func() {
		result <- 7 // want blocked
	}()
	select {
	case n := <-result:
		return n
	case <-ctx.Done():
		return 0
	}
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	fmt.Println(fetch(ctx))
}
