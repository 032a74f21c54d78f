// Program lock_channel_send_fixed: the mended lock_channel_send.
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
		mu.Lock()
		fmt.Println("begin")
		mu.Unlock()
		fmt.Println(<-values)
		close(done)
	}()
	mu.Lock()
	mu.Unlock()
	values <- 1
	<-done
}
