// Program context_producer_fixed: the mended context_producer.
package main

import (
	"context"
	"fmt"
)

func generate(ctx context.Context) <-chan int {
	out := make(chan int)
	go func() {
		for i := 0; ; i++ {
			select {
			case out <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for v := range generate(ctx) {
		if v == 2 {
			break
		}
	}
	fmt.Println("enough")
}
