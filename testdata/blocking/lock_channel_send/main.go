// Program lock_channel_send: A value is sent under the lock that the receiver takes.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	values := make(chan int)
	done := make(chan bool)
	go func() {
		mu.Lock() // want deadlock
		fmt.Println("begin")
		mu.Unlock()
		fmt.Println(<-values)
		close(done)
	}()
	mu.Lock()
	values <- 1 // want deadlock
	mu.Unlock()
	<-done
}
