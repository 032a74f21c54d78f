// Command timer_again_fixed waits for another time each time.
package main

import "time"

func main() {
	jobs := make(chan int)
	for range 2 {
		select {
		case <-time.After(time.Second):
		case <-jobs:
		}
	}
	t := time.NewTimer(time.Second)
	<-t.C
}
