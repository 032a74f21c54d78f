// Program condition_passing_send: A send that does not wait stands for a signal, and the receiver is not there yet.
package main

import (
	"fmt"
)

func main() {
	wake := make(chan struct{})
	done := make(chan bool)
	go func() {
		<-wake // want missed-signal
		close(done)
	}()
	select {
	case wake <- struct{}{}:
	default:
	}
	<-done
	fmt.Println("woken")
}
