// Program lock_channel_token: A channel is used as a lock beside a mutex, in the other order.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	token := make(chan struct{}, 1)
	done := make(chan bool)
	go func() {
		token <- struct{}{}
		mu.Lock() // want deadlock
		mu.Unlock()
		<-token
		done <- true
	}()
	mu.Lock()
	token <- struct{}{} // want deadlock
	<-token
	mu.Unlock()
	<-done
	fmt.Println("done")
}
