// Program channel_never_closed: The consumer ranges over a channel that nobody closes.
package main

import (
	"fmt"
	"sync"
)

func main() {
	jobs := make(chan int)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for j := range jobs { // want blocked
			fmt.Println(j)
		}
	}()
	for i := range 3 {
		jobs <- i
	}
	wg.Wait()
}
