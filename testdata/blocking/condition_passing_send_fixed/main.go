// Program condition_passing_send_fixed: the mended condition_passing_send.
package main

import (
	"fmt"
)

func main() {
	wake := make(chan struct{}, 1)
	done := make(chan bool)
	go func() {
		<-wake
		close(done)
	}()
	select {
	case wake <- struct{}{}:
	default:
	}
	<-done
	fmt.Println("woken")
}
