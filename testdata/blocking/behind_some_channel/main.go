// Command behind_some_channel has a goroutine that waits for ever where it gets something from one of two channels, and
// it is not known which one that is.
package main

import (
	"os"
	"time"
)

// open: which of the channels the goroutine receives from is not known

func main() {
	first, second := make(chan int), make(chan int)
	some := []chan int{first, second}[len(os.Args)%2]
	var never chan int
	done := make(chan struct{})
	go func() {
		select {
		case <-some:
			<-never
		case <-done:
		}
	}()
	select {
	case first <- 1:
	case second <- 1:
	case <-time.After(time.Second):
	}
	close(done)
}
