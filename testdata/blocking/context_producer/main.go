// Program context_producer: The producer does not look at the context while it sends.
package main

import (
	"context"
	"fmt"
)

func generate(ctx context.Context) <-chan int {
	out := make(chan int)
	go func() {
		for i := 0; ; i++ {
			out <- i // want blocked
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
