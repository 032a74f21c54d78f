// Package main waits for what a timer runs, which is stopped where the function returns that has made it.
//
// open: whether it has expired before is what is not known.
package main

import "time"

func main() {
	<-begin()
}

func begin() chan bool {
	done := make(chan bool)
	timer := time.AfterFunc(time.Millisecond, func() { close(done) })
	defer timer.Stop()
	return done
}
