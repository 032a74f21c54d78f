// Command timer_again waits twice for a time that is over once.
package main

import "time"

// open: whether a timer expires again is not known

func main() {
	over := time.After(time.Second)
	jobs := make(chan int)
	for range 2 {
		select {
		case <-over:
		case <-jobs:
		}
	}
}
