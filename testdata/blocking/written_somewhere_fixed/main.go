// Command written_somewhere_fixed closes the channel where the worker is stopped.
package main

import "os"

type worker struct{ stopped bool }

func main() {
	var workers [2]worker
	workers[len(os.Args)%2].stopped = true
	results := make(chan int, 1)
	if !workers[0].stopped {
		results <- 1
	} else {
		close(results)
	}
	<-results
}
