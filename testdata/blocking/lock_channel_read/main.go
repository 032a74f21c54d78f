// Program lock_channel_read: A reader holds the lock while it waits for a value, and the one who sends it is to write.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.RWMutex
	values := make(chan int)
	n := 0
	go func() {
		mu.Lock() // want deadlock
		n++
		mu.Unlock()
		values <- 1
	}()
	mu.RLock()
	m := n
	m += <-values // want deadlock
	mu.RUnlock()
	fmt.Println(m)
}
