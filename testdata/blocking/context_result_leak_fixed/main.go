// Program context_result_leak_fixed: the mended context_result_leak.
package main

import (
	"context"
	"fmt"
	"time"
)

func fetch(ctx context.Context) int {
	result := make(chan int, 1)
	go func() {
		result <- 7
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
