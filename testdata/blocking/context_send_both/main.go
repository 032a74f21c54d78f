// Program context_send_both: Two values are to be sent, and the context is looked at for the first one only.
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
		out <- 2 // want blocked
	}()
	fmt.Println(<-out)
	cancel()
}
