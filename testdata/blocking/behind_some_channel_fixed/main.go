// Command behind_some_channel_fixed sends on neither of the channels: the goroutine does not come to where it would
// wait.
package main

import "os"

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
	close(done)
}
