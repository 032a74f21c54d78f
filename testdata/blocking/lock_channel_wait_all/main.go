// Program lock_channel_wait_all: All are asked under the lock, and each of them takes it to answer.
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
			mu.Lock() // want deadlock
			total += i
			mu.Unlock()
			results <- i
		}()
	}
	mu.Lock()
	for range 2 {
		<-results // want deadlock
	}
	fmt.Println(total)
	mu.Unlock()
}
