// Command map_written_somewhere notes in one of two maps that a worker has stopped, and it is not known in which one.
// The result of a worker that the first one does not have is waited for.
//
// confirm: with "x"
package main

import "os"

func main() {
	stopped := map[string]bool{}
	maps := []map[string]bool{stopped, {}}
	maps[len(os.Args)%2]["a"] = true
	results := make(chan int, 1)
	if !stopped["a"] {
		results <- 1
	}
	<-results // want blocked
}
