// Program double_lock_goroutine: A goroutine ends with the lock, which another one wants.
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
	}()
	<-ready
	mu.Lock() // want blocked
	fmt.Println("both")
	mu.Unlock()
}
