// Program context_wait_group_fixed: the mended context_wait_group.
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
		<-ctx.Done()
	}()
	cancel()
	wg.Wait()
	fmt.Println("end")
}
