// Command written_somewhere stops one of two workers, and it is not known which one. The result of the first one is
// waited for, which does not come from a worker that is stopped.
//
// confirm: with "x"
package main

import "os"

type worker struct{ stopped bool }

func main() {
	var workers [2]worker
	workers[len(os.Args)%2].stopped = true
	results := make(chan int, 1)
	if !workers[0].stopped {
		results <- 1
	}
	<-results // want blocked
}
