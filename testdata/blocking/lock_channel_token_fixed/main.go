// Program lock_channel_token_fixed: the mended lock_channel_token.
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
		mu.Lock()
		token <- struct{}{}
		mu.Unlock()
		<-token
		done <- true
	}()
	mu.Lock()
	token <- struct{}{}
	<-token
	mu.Unlock()
	<-done
	fmt.Println("done")
}
