// Program order_negative_counter_fixed: the mended order_negative_counter.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		fmt.Println("work")
	}()
	wg.Wait()
}
