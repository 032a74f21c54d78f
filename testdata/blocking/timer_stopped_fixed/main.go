// Package main stops a timer when nobody waits for it any more.
package main

import "time"

func main() {
	timer := time.NewTimer(time.Millisecond)
	done := make(chan bool)
	go func() {
		done <- true
	}()
	select {
	case <-timer.C:
		<-done
	case <-done:
	}
	timer.Stop()
}
