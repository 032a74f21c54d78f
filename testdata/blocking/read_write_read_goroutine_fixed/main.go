// Program read_write_read_goroutine_fixed: the mended read_write_read_goroutine.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.RWMutex
	n := 0
	done := make(chan bool)
	go func() {
		mu.Lock()
		n++
		mu.Unlock()
	}()
	mu.RLock()
	mu.RUnlock()
	go func() {
		mu.RLock()
		fmt.Println(n)
		mu.RUnlock()
		done <- true
	}()
	<-done
}
