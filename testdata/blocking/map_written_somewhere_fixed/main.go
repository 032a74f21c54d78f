// Command map_written_somewhere_fixed closes the channel where the worker is stopped.
package main

import "os"

func main() {
	stopped := map[string]bool{}
	maps := []map[string]bool{stopped, {}}
	maps[len(os.Args)%2]["a"] = true
	results := make(chan int, 1)
	if !stopped["a"] {
		results <- 1
	} else {
		close(results)
	}
	<-results
}
