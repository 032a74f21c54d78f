// Package main waits for a timer that another goroutine stops, perhaps before it has expired.
//
// open: whether it has expired before is what is not known.
package main

import "time"

func main() {
	timer := time.NewTimer(time.Millisecond)
	done := make(chan bool)
	go func() {
		<-timer.C
		done <- true
	}()
	timer.Stop()
	<-done
}
