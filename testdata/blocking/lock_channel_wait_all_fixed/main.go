// Program lock_channel_wait_all_fixed: the mended lock_channel_wait_all.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	total := 0
	results := make(chan int)
	for i := range 2 {
		go func() {
			mu.Lock()
			total += i
			mu.Unlock()
			results <- i
		}()
	}
	for range 2 {
		<-results
	}
	mu.Lock()
	fmt.Println(total)
	mu.Unlock()
}
