// Program context_wait_group: The one that waits for the workers cancels them afterwards.
package main

import (
	"context"
	"fmt"
	"sync"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		<-ctx.Done() // want deadlock
	}()
	wg.Wait() // want deadlock
	cancel()
	fmt.Println("end")
}
