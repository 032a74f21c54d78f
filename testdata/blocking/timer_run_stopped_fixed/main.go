// Package main waits for what a timer runs.
package main

import "time"

func main() {
	<-begin()
}

func begin() chan bool {
	done := make(chan bool)
	time.AfterFunc(time.Millisecond, func() { close(done) })
	return done
}
