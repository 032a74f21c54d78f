// Program read_write_read_goroutine: A reader waits for a goroutine that reads, while a writer waits.
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
		mu.Lock() // want deadlock
		n++
		mu.Unlock()
	}()
	mu.RLock()
	go func() {
		mu.RLock() // want deadlock
		fmt.Println(n)
		mu.RUnlock()
		done <- true
	}()
	<-done // want deadlock
	mu.RUnlock()
}
