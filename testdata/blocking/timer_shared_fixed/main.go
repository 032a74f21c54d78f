// Package main waits for two timers, on two goroutines.
package main

import "time"

func main() {
	timer, other := time.NewTimer(time.Millisecond), time.NewTimer(time.Millisecond)
	done := make(chan bool)
	go func() {
		<-other.C
		done <- true
	}()
	<-timer.C
	<-done
}
