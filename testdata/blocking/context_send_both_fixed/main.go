// Program context_send_both_fixed: the mended context_send_both.
package main

import (
	"context"
	"fmt"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	out := make(chan int)
	go func() {
		select {
		case out <- 1:
		case <-ctx.Done():
			return
		}
		select {
		case out <- 2:
		case <-ctx.Done():
		}
	}()
	fmt.Println(<-out)
	cancel()
}
