// Program order_negative_counter: The goroutine counts down before it was counted.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	go func() {
		defer wg.Done() // want order
		fmt.Println("work")
	}()
	wg.Add(1)
	wg.Wait()
}
