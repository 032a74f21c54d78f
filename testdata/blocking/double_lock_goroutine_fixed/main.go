// Program double_lock_goroutine_fixed: the mended double_lock_goroutine.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	ready := make(chan bool)
	go func() {
		mu.Lock()
		ready <- true
		mu.Unlock()
	}()
	<-ready
	mu.Lock()
	fmt.Println("both")
	mu.Unlock()
}
