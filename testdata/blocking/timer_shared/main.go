// Package main waits for a timer twice, on two goroutines: it gives one value.
//
// open: a timer gives a value whenever somebody wants one; that it gives one only is what is not known.
package main

import "time"

func main() {
	timer := time.NewTimer(time.Millisecond)
	done := make(chan bool)
	go func() {
		<-timer.C
		done <- true
	}()
	<-timer.C
	<-done
}
