// Program lock_channel_read_fixed: the mended lock_channel_read.
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
		mu.Lock()
		n++
		mu.Unlock()
		values <- 1
	}()
	mu.RLock()
	m := n
	mu.RUnlock()
	m += <-values
	fmt.Println(m)
}
